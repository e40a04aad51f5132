// The newest order wins: who is to stop or to leave is taken out of the queues of the commands that came before. They name it
// as called off, and what they had not begun with it is not done: neither its turn, nor a restart that waits for a rollout.
import type { ServiceId } from '../../domain/ids.ts';
import { find, put, putRequest, type Draft } from '../draft.ts';
import type { Request } from './request.ts';
import { calledOff } from './verdict.ts';

/** Somebody of it is still undecided: whose turn it is, or who has to be gone before the first turn. */
const without = (request: Request, withdrawn: readonly ServiceId[]): Request => ({
  ...request,
  queue: request.queue.filter((id) => !withdrawn.includes(id)),
  undecided: request.undecided - withdrawn.length,
  failures: [...request.failures, ...withdrawn.map(calledOff)],
});

/** A restart that waits for a rollout to be over has not begun either. */
export const notAgain = (draft: Draft, id: ServiceId): void => {
  const service = find(draft, id);
  if (service?.rollout?.again === undefined) return;
  const { again: _, ...rollout } = service.rollout;
  put(draft, { ...service, rollout });
};

/** From now on no older command brings these services to a new run. */
export const withdraw = (draft: Draft, services: readonly ServiceId[]): void => {
  services.forEach((id) => notAgain(draft, id));
  const ids = new Set(services);
  for (const request of Object.values(draft.state.requests)) {
    const withdrawn = request.queue.filter((id) => ids.has(id));
    if (withdrawn.length > 0) putRequest(draft, without(request, withdrawn));
  }
};
