// The clock may have been set back since a state was recorded. An instant in the future would then delay a
// backoff or SIGKILL by that much. So start times are at most now, and due times at most now plus their own
// delay.
import type { Service } from '../../domain/service/service.ts';
import { earlier, plus, type Instant, type Ms } from '../../domain/time.ts';
import { rescheduled } from '../../service/schedule.ts';
import { retimed } from '../clock/retimed.ts';
import type { Request } from '../requests/request.ts';

/** Boundaries follow the wall clock: the next one may now be sooner than recorded. */
const scheduleBy = (service: Service, now: Instant): Service['schedule'] => {
  const { due } = service.schedule;
  if (due === undefined) return service.schedule;
  const next = rescheduled(service, now);
  return next.due !== undefined && next.due < due ? next : service.schedule;
};

/** The service without an instant that delays anything longer than allowed. */
export const clamped = (service: Service, now: Instant): Service => {
  const held = retimed(service, {
    since: (at) => earlier(at, now),
    due: (at, longest) => earlier(at, plus(now, longest)),
  });
  return { ...held, schedule: scheduleBy(held, now) };
};

/** A continued command: received now at the latest, and answered within `longest`. */
export const clampedRequest = (request: Request, now: Instant, longest: Ms): Request => ({
  ...request,
  since: earlier(request.since, now),
  ...(request.deadline !== undefined && { deadline: earlier(request.deadline, plus(now, longest)) }),
});
