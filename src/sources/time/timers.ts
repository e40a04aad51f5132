// A service's timers: backoff, stop timeout, readiness window and so on (`TimerName`). The length is taken when the
// watch opens; whoever sets the clock afterwards changes nothing about it.
import { map, type SchedulerLike } from 'rxjs';
import { between } from '../../streams/domain/time.ts';
import { after } from '../../streams/operators/after.ts';
import type { Event } from '../../streams/domain/event.ts';
import type { Clock, Source } from '../../streams/domain/ports.ts';

export interface TimePorts {
  readonly clock: Clock;
  readonly scheduler?: SchedulerLike;
}

/** `elapsed`, once, at `due`; at the next turn when that is over already. */
export const timers =
  ({ clock, scheduler }: TimePorts): Source<'timer'> =>
  ({ service, run, timer, due }) =>
    after(between(clock.now(), due), scheduler).pipe(
      map((): Event => ({ type: 'elapsed', service, run, timer })),
    );
