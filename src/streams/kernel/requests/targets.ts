// The targets of a request, and how it is notified of them.
import type { RequestId, ServiceId } from '../../domain/ids.ts';
import type { Service } from '../../domain/service/service.ts';
import { find, put, putRequest, revisit, type Draft } from '../draft.ts';
import { answer } from './answer.ts';
import { ranAt } from '../../service/schedule.ts';
import type { Before, Request } from './request.ts';

/** From now on the request is notified of the service. */
export const awaitTarget = (draft: Draft, request: RequestId, service: Service): void => {
  put(draft, { ...service, awaitedBy: [...service.awaitedBy, request] });
  revisit(draft, service.spec.id);
};

/** From now on the request is notified of all its targets. */
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

/** Sets the targets of the request; without any it is answered at once. */
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
