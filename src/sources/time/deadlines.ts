// The time limits of requests, such as `start_settle_secs`.
import { map } from 'rxjs';
import { between } from '../../streams/domain/time.ts';
import { after } from '../../streams/operators/after.ts';
import type { Event } from '../../streams/domain/event.ts';
import type { Source } from '../../streams/domain/ports.ts';
import type { TimePorts } from './timers.ts';

/** Emits `request-expired`, once, at `due`, or on the next turn if that has passed. */
export const deadlines =
  ({ clock, scheduler }: TimePorts): Source<'deadline'> =>
  ({ request, due }) =>
    after(between(clock.now(), due), scheduler).pipe(
      map((): Event => ({ type: 'request-expired', request })),
    );
