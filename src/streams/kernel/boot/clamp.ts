// The clock may have been set back since a state was recorded: what lies in the future by then would hold a backoff, or
// SIGKILL, for as long. It is now at the latest, and what is due comes after its own delay at the latest.
import type { Service } from '../../domain/service/service.ts';
import { earlier, plus, type Instant, type Ms } from '../../domain/time.ts';
import { rescheduled } from '../../service/schedule.ts';
import { retimed } from '../clock/retimed.ts';
import type { Request } from '../requests/request.ts';

/** A boundary is by the wall clock: the next one may come sooner than it was thought to. */
const scheduleBy = (service: Service, now: Instant): Service['schedule'] => {
  const { due } = service.schedule;
  if (due === undefined) return service.schedule;
  const next = rescheduled(service, now);
  return next.due !== undefined && next.due < due ? next : service.schedule;
};

/** The service without an instant that holds anything up longer than it may. */
export const clamped = (service: Service, now: Instant): Service => {
  const held = retimed(service, {
    since: (at) => earlier(at, now),
    due: (at, longest) => earlier(at, plus(now, longest)),
  });
  return { ...held, schedule: scheduleBy(held, now) };
};

/** A command that goes on: it came now at the latest, and its answer after `longest` at the latest. */
export const clampedRequest = (request: Request, now: Instant, longest: Ms): Request => ({
  ...request,
  since: earlier(request.since, now),
  ...(request.deadline !== undefined && { deadline: earlier(request.deadline, plus(now, longest)) }),
});
