// Sets the targets of a request: the services that its command is about and that the request waits for.
import type { RequestId, ServiceId } from '../../domain/ids.ts';
import type { Service } from '../../domain/service/service.ts';
import { find, put, putRequest, revisit, type Draft } from '../draft.ts';
import { answer } from './answer/command-reply.ts';
import { ranAt } from '../../service/scheduled/scheduled-results.ts';
import type { Before, Request } from './request.ts';

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

/**
 * Sets the targets of the request and records their present states. A request without targets is answered at
 * once.
 */
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
