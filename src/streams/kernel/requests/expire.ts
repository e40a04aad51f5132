// After `start_settle_secs`, the answer names every service that is not there yet.
import type { SupError } from '../../domain/errors/error.ts';
import type { RequestId, ServiceId } from '../../domain/ids.ts';
import { find, type Draft } from '../draft.ts';
import { answer } from './answer.ts';
import { decide } from './hear.ts';

const late = (draft: Draft, service: ServiceId): SupError => ({
  code: 'ERR0107',
  service,
  waited: draft.state.settings.startSettle,
});

/** A start is answered with all late services; a restart continues with the next one. */
export const expire = (draft: Draft, id: RequestId): void => {
  const request = draft.state.requests[id];
  if (request === undefined) return;
  const { turn } = request;
  const isAwaited = (target: ServiceId): boolean => find(draft, target)?.awaitedBy.includes(id) ?? false;
  if (turn !== undefined && isAwaited(turn))
    return decide(draft, { request: id, service: turn, failure: late(draft, turn) });
  const failures = request.targets.filter(isAwaited).map((service) => late(draft, service));
  answer(draft, { ...request, failures: [...request.failures, ...failures] });
};
