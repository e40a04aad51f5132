// The time limits of requests (`start_settle_secs` and its like).
import { map } from 'rxjs';
import { between } from '../../streams/domain/time.ts';
import { after } from '../../streams/operators/after.ts';
import type { Event } from '../../streams/domain/event.ts';
import type { Source } from '../../streams/domain/ports.ts';
import type { TimePorts } from './timers.ts';

/** `request-expired`, once, at `due`; at the next turn when that is over already. */
export const deadlines =
  ({ clock, scheduler }: TimePorts): Source<'deadline'> =>
  ({ request, due }) =>
    after(between(clock.now(), due), scheduler).pipe(
      map((): Event => ({ type: 'request-expired', request })),
    );
