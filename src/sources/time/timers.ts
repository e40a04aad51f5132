// A service's timers: backoff, stop timeout, readiness window and so on (`TimerName`). The length is computed
// when the watch opens, so a later clock change has no effect.
import { map, type SchedulerLike } from 'rxjs';
import { between } from '../../streams/domain/time.ts';
import { after } from '../../streams/operators/after.ts';
import type { Event } from '../../streams/domain/event.ts';
import type { Clock, Source } from '../../streams/domain/ports.ts';

export interface TimePorts {
  readonly clock: Clock;
  readonly scheduler?: SchedulerLike;
}

/** Emits `elapsed`, once, at `due`, or on the next turn if that has passed. */
export const timers =
  ({ clock, scheduler }: TimePorts): Source<'timer'> =>
  ({ service, run, timer, due }) =>
    after(between(clock.now(), due), scheduler).pipe(
      map((): Event => ({ type: 'elapsed', service, run, timer })),
    );
