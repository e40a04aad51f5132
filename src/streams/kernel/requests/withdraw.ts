// The newest order wins: a service that must stop or leave is taken out of the queues of earlier commands.
// They report it with ERR0117. What they had not begun with it is dropped: its turn, and a restart that waits
// for a rollout.
// Rules: `docs/behaviour.md`, "Restart by hand", "The newest command wins".
import type { ServiceId } from '../../domain/ids.ts';
import { find, put, putRequest, type Draft } from '../draft.ts';
import type { Request } from './request.ts';
import { calledOff } from './verdict.ts';

/**
 * The request without these targets. Another is still undecided: the one in turn, or one to be removed first.
 */
const without = (request: Request, withdrawn: readonly ServiceId[]): Request => ({
  ...request,
  queue: request.queue.filter((id) => !withdrawn.includes(id)),
  undecided: request.undecided - withdrawn.length,
  failures: [...request.failures, ...withdrawn.map(calledOff)],
});

/** Drops a restart that waits for the end of a rollout. */
export const notAgain = (draft: Draft, id: ServiceId): void => {
  const service = find(draft, id);
  if (service?.rollout?.again === undefined) return;
  const { again: _, ...rollout } = service.rollout;
  put(draft, { ...service, rollout });
};

/** From now on no older command starts a new run of these services. */
export const withdraw = (draft: Draft, services: readonly ServiceId[]): void => {
  services.forEach((id) => notAgain(draft, id));
  const ids = new Set(services);
  for (const request of Object.values(draft.state.requests)) {
    const withdrawn = request.queue.filter((id) => ids.has(id));
    if (withdrawn.length > 0) putRequest(draft, without(request, withdrawn));
  }
};
