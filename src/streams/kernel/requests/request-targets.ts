// Targets: the services that a command is about and waits for. The newest command wins: a service that it
// stops or removes leaves the queues of earlier commands, which report it with ERR0117.
// Rules: `docs/behaviour.md`, "Restart by hand", "The newest command wins".
import type { RequestId, ServiceId } from '../../domain/ids.ts';
import type { Service } from '../../domain/service/service.ts';
import { find, put, putRequest, revisit, type Draft } from '../draft.ts';
import { answer } from './command-reply.ts';
import { ranAt } from '../../service/schedule.ts';
import type { Before, Request } from './request.ts';
import { calledOff } from './target-outcome.ts';

/** Registers the request with the service, to be checked when the service changes. */
export const awaitTarget = (draft: Draft, request: RequestId, service: Service): void => {
  put(draft, { ...service, awaitedBy: [...service.awaitedBy, request] });
  revisit(draft, service.spec.id);
};

/** Registers the request with each target, to be checked when a target changes. */
export const awaitTargets = (draft: Draft, { id, targets }: Request): void => {
  for (const target of targets) {
    const service = find(draft, target);
    if (service !== undefined) awaitTarget(draft, id, service);
  }
};

const beforeOf = ({ actual, lastFailure, runs, rollouts, schedule }: Service): Before => {
  const rolled = rollouts?.at(-1)?.stages[0].at;
  const ran = schedule.runs.findLast((run) => ranAt(run) !== undefined);
  const at = ran && ranAt(ran);
  return {
    ...{ tag: actual.tag, runs },
    ...(rolled !== undefined && { rolled }),
    ...(at !== undefined && { ran: at }),
    ...(lastFailure && { failed: lastFailure.at }),
  };
};

/** Sets the targets of the request. Without targets it is answered at once. */
export const aim = (draft: Draft, request: Request, targets: readonly ServiceId[]): Request => {
  const before = Object.fromEntries(
    targets.flatMap((id) => {
      const service = find(draft, id);
      return service === undefined ? [] : [[id, beforeOf(service)] as const];
    }),
  );
  const aimed: Request = { ...request, phase: 'awaiting', targets, before, undecided: targets.length };
  putRequest(draft, aimed);
  if (targets.length === 0) answer(draft, aimed);
  return aimed;
};

/** Returns the request with these services taken out of its queue and counted as failed. */
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

/** Takes services out of older commands, so that those start no new run of them. */
export const withdraw = (draft: Draft, services: readonly ServiceId[]): void => {
  services.forEach((id) => notAgain(draft, id));
  const ids = new Set(services);
  for (const request of Object.values(draft.state.requests)) {
    const withdrawn = request.queue.filter((id) => ids.has(id));
    if (withdrawn.length > 0) putRequest(draft, without(request, withdrawn));
  }
};
