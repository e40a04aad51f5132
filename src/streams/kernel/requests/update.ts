// An apply or rollback without a new run: the current run continues, supervised by the newer declaration.
import type { ServiceId } from '../../domain/ids.ts';
import type { Service } from '../../domain/service/service.ts';
import { differenceOf } from '../../rollout/difference.ts';
import { liveNames, liveRevision, withoutRestart } from '../../rollout/without-restart.ts';
import { reboundTo } from '../../service/schedule.ts';
import { find, put, putRequest, type Draft } from '../draft.ts';
import { rebuildGraph } from '../register.ts';
import type { Request } from './request.ts';

/**
 * True if the current run takes up the newer declaration for this command. A restart always brings a new run.
 */
export const isUpdated = ({ command }: Request, service: Service): boolean =>
  command.type !== 'restart' && liveRevision(service) !== undefined;

const remember = (
  draft: Draft,
  { id }: Request,
  [service, live]: readonly [ServiceId, readonly string[]],
) => {
  const request = draft.state.requests[id];
  const before = request?.before[service];
  if (request === undefined || before === undefined) return;
  putRequest(draft, { ...request, before: { ...request.before, [service]: { ...before, live } } });
};

/** Lets the current run take up the newer declaration; false if that needs a new run. */
export const update = (draft: Draft, request: Request, id: ServiceId): boolean => {
  const service = find(draft, id);
  const revision = service && isUpdated(request, service) ? liveRevision(service) : undefined;
  if (service === undefined || revision === undefined) return false;
  const live = liveNames(differenceOf(service.spec, revision));
  put(draft, reboundTo(service, withoutRestart(service, revision), draft.at));
  rebuildGraph(draft);
  const text = `took up without a restart: ${live.join(', ')}`;
  draft.effects.push({ type: 'note', service: id, level: 'info', text });
  remember(draft, request, [id, live]);
  return true;
};
