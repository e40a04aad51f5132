// The wall clock was set while the supervisor ran (or stood still while the machine slept): everything that is under way
// goes on as if nothing had happened. Only schedules go by the new time (`docs/behaviour.md`, "Schedules").
import { ms, plus, type Instant, type Ms } from '../../domain/time.ts';
import { lengthText } from '../../views/words/length-text.ts';
import { put, putRequest, type Draft } from '../draft.ts';
import type { Before, Request } from '../requests/request.ts';
import { servicesOf } from '../roster.ts';
import { retimed } from './retimed.ts';

/** What was over by then is known by the clock of its time; the rollout that was taken back is under way, and moves along. */
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

const textOf = (by: Ms): string =>
  by < 0
    ? `the clock was set back by ${lengthText(ms(Math.abs(by)))}`
    : `the clock went forward by ${lengthText(by)}`;

/**
 * All lengths that are counted stay as they are; `by` is negative where the clock was set back, and nothing where somebody
 * has had the clock looked at.
 */
export const clockSet = (draft: Draft, by: Ms): void => {
  if (by === 0) return;
  const moved = (at: Instant): Instant => plus(at, by);
  for (const service of servicesOf(draft.state.roster))
    put(draft, retimed(service, { since: moved, due: moved }));
  for (const request of Object.values(draft.state.requests)) putRequest(draft, requestBy(request, by));
  draft.effects.push({ type: 'note', level: 'info', text: textOf(by) });
};
