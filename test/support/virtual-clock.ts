// The two clocks in virtual time: what `asyncScheduler` shows inside `rxTest`, and a wall clock that can be set.
import { asyncScheduler } from 'rxjs';
import type { Clock } from '../../src/streams/domain/ports.ts';
import { instant, ms, plus, type Instant, type Ms } from '../../src/streams/domain/time.ts';

export interface VirtualClock {
  readonly clock: Clock;
  readonly uptime: () => Ms;
  /** Moves the wall clock, back when negative; the uptime does not notice. */
  readonly set: (by: Ms) => void;
}

/** To be made inside a story; the wall clock begins at `origin`. */
export const virtualClock = (origin: Instant = instant(0)): VirtualClock => {
  const uptime = (): Ms => ms(asyncScheduler.now());
  const begun = uptime();
  let shift = 0;
  return {
    clock: { now: () => plus(origin, ms(uptime() - begun + shift)) },
    uptime,
    set: (by) => {
      shift += by;
    },
  };
};
