// The wall clock was set while the supervisor ran, or stood still while the machine slept: all that is in
// progress continues as if nothing had happened. Only schedules follow the new time
// (`docs/behaviour.md`, "Schedules").
// Rules: `docs/behaviour.md`, "Clocks"; `docs/behaviour.md`, "Schedules", "The clock".
import { plus, type Instant, type Ms } from '../../domain/time.ts';
import { put, putRequest, type Draft } from '../draft.ts';
import type { Before, Request } from '../requests/request.ts';
import { servicesOf } from '../roster.ts';
import { retimed } from './retimed.ts';

/**
 * Finished events keep the old clock's time. Only `takenBack` moves along, since that rollout is still in
 * progress.
 */
const beforeBy = (before: Before, by: Ms): Before => ({
  ...before,
  ...(before.takenBack !== undefined && { takenBack: plus(before.takenBack, by) }),
});

const requestBy = (request: Request, by: Ms): Request => ({
  ...request,
  since: plus(request.since, by),
  before: Object.fromEntries(Object.entries(request.before).map(([id, known]) => [id, beforeBy(known, by)])),
  ...(request.deadline !== undefined && { deadline: plus(request.deadline, by) }),
});

/**
 * All durations being counted stay as they are. `by` is negative if the clock was set back, and 0 if the
 * event only made the clock be checked.
 */
export const clockSet = (draft: Draft, by: Ms): void => {
  if (by === 0) return;
  const moved = (at: Instant): Instant => plus(at, by);
  for (const service of servicesOf(draft.state.roster))
    put(draft, retimed(service, { since: moved, due: moved }));
  for (const request of Object.values(draft.state.requests)) putRequest(draft, requestBy(request, by));
  draft.effects.push({ type: 'note', level: 'info', facts: { tag: 'clock-set', by } });
};
