// `rollback`: selects the services that can be rolled back. Each then has its turn, as in a restart.
import type { ServiceId } from '../../domain/ids.ts';
import { inOrder } from '../../graph/graph.ts';
import { rollbackOf } from '../../rollout/rollback-spec.ts';
import { serviceIs, type Draft } from '../draft.ts';
import { refuse } from './answer/command-reply.ts';
import type { Request } from './request.ts';
import { takeTurn } from './restart-in-turn.ts';
import { selectStaying } from './selected-services.ts';
import { aim } from './set-targets.ts';

/** Carries out a `rollback`, or refuses it with ERR0303 if no selected service can be rolled back. */
export const rollBack = (draft: Draft, request: Request): void => {
  if (request.command.type !== 'rollback') return;
  const selected = selectStaying(draft.state, request.command.selection, new Set());
  if (!selected.ok) return refuse(draft, request, selected.error);
  const canGoBack = (id: ServiceId): boolean =>
    serviceIs(draft, id, (service) => rollbackOf(service) !== undefined);
  const queue = inOrder(draft.state.graph, selected.ids).filter(canGoBack);
  if (queue.length === 0) return refuse(draft, request, { code: 'ERR0303', services: selected.ids });
  takeTurn(draft, { ...aim(draft, request, queue), queue });
};
