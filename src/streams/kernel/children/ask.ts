// A service requests a child: first the requesting run is found (`trace`), then the child is refused or
// spawned.
import type { RequestId } from '../../domain/ids.ts';
import type { Ancestry } from '../../domain/service/ancestry.ts';
import type { Child } from '../../domain/service/child.ts';
import type { Service } from '../../domain/service/service.ts';
import { askerIn } from '../../children/asker.ts';
import { born } from '../../children/birth.ts';
import { spawnOfChild } from '../../children/run.ts';
import { putRequest, type Draft } from '../draft.ts';
import { servicesOf } from '../roster.ts';
import { refuse } from '../requests/answer.ts';
import type { Request } from '../requests/request.ts';
import { take } from './send.ts';

/** The first step of a request for a child: the process table shows which run it came from. */
export const askSpawn = (draft: Draft, request: Request): void =>
  putRequest(draft, { ...request, phase: 'tracing' });

const begin = (draft: Draft, before: Service, [after, child]: readonly [Service, Child]): void => {
  take(draft, before, after);
  draft.effects.push(spawnOfChild(after, child));
};

/** The ancestry of the request is known. */
export const traced = (draft: Draft, id: RequestId, ancestry: Ancestry): void => {
  const request = draft.state.requests[id];
  if (request?.command.type !== 'spawn') return;
  const { order } = request.command;
  if (draft.state.phase !== 'running') return refuse(draft, request, { code: 'ERR0206' });
  const asker = askerIn(servicesOf(draft.state.roster), ancestry, order.unit);
  if (!asker.ok) return refuse(draft, request, asker.error);
  const { service, run: parent } = asker;
  const one = born(service, { parent, order, at: draft.at, request: id });
  if (!one.ok) return refuse(draft, request, one.error);
  putRequest(draft, { ...request, phase: 'awaiting' });
  begin(draft, service, [one.service, one.child]);
};
