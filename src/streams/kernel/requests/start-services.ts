// `start`: starts the selected services and all their dependencies, dependencies first.
import { failedRollout } from '../../rollout/rollback-spec.ts';
import { shownId, type ServiceId } from '../../domain/ids.ts';
import type { Service } from '../../domain/service/service.ts';
import { plus } from '../../domain/time.ts';
import { inOrder, withDependencies, withRequired } from '../../graph/graph.ts';
import { isRunning } from '../../graph/dependency-state.ts';
import { isNamed } from '../../selection/match.ts';
import { find, put, serviceIs, type Draft } from '../draft.ts';
import { send } from '../send.ts';
import { beyondLimits, refuse } from './answer/command-reply.ts';
import { orderOf, type Request } from './request.ts';
import { selectStaying } from './selected-services.ts';
import { aim, awaitTargets } from './set-targets.ts';

const NO_SERVICES: ReadonlySet<ServiceId> = new Set();

/**
 * Returns the services with all dependencies, dependencies first, without services that are being removed.
 */
export const targetsOf = (
  draft: Draft,
  ids: readonly ServiceId[],
  gone = NO_SERVICES,
): readonly ServiceId[] => {
  const { graph } = draft.state;
  const stays = (id: ServiceId): boolean => !gone.has(id) && find(draft, id)?.leaving === false;
  return inOrder(graph, withDependencies(graph, ids)).filter(stays);
};

/**
 * Starts the targets. A target that does not run yet passes the gate. `by`: the program that sent the
 * command.
 */
export const sendOff = (
  draft: Draft,
  { targets, ...order }: { readonly targets: readonly ServiceId[]; readonly by?: string },
  insists: (service: Service) => boolean,
): void => {
  for (const id of targets) {
    const service = find(draft, id);
    if (service?.gate === 'none' && !isRunning(service)) put(draft, { ...service, gate: 'pending' });
    send(draft, id, { type: 'start', insisted: service !== undefined && insists(service), ...order });
  }
};

/** Returns a warning if the start uses an older declaration, after a failed rollout or a rollback. */
const ofFailedRollout = (service: Service | undefined): readonly string[] => {
  if (service?.rejected === undefined) return [];
  const name = shownId(service.spec.id);
  if (service.rolledBack !== undefined)
    return [`${name} was rolled back, and its manifest is not applied; to apply it: sup apply ${name}`];
  const code = failedRollout(service)?.error?.code ?? 'ERR0115';
  return [
    `${name} is started as it was declared before: the rollout of its newer declaration failed (${code}); to try it again: sup apply ${name}`,
  ];
};

/** Starts the selected services after their manifests were read, without those in `gone`. */
export const start = (draft: Draft, request: Request, gone: ReadonlySet<ServiceId>): void => {
  if (request.command.type !== 'start') return;
  const { selection } = request.command;
  const selected = selectStaying(draft.state, selection, gone);
  if (!selected.ok) return refuse(draft, request, selected.error);
  const { ids } = selected;
  const targets = targetsOf(draft, ids, gone);
  const isConcerned = (id: ServiceId): boolean => ids.includes(id) || !serviceIs(draft, id, isRunning);
  const concerned = targets.filter(isConcerned).flatMap((id) => find(draft, id) ?? []);
  const beyond = beyondLimits(request.command, concerned);
  if (beyond !== undefined) return refuse(draft, request, beyond);
  const deadline = plus(draft.at, draft.state.settings.startSettle);
  const warnings = [...request.warnings, ...targets.flatMap((id) => ofFailedRollout(find(draft, id)))];
  const required = new Set(withRequired(draft.state.graph, ids));
  const optional = targets.filter((id) => !required.has(id));
  const wanted: Request = { ...request, warnings, deadline, ...(optional.length > 0 && { optional }) };
  const aimed = aim(draft, wanted, targets);
  sendOff(
    draft,
    { targets, ...orderOf(request) },
    ({ spec }) => isNamed(spec, selection) && ids.includes(spec.id),
  );
  awaitTargets(draft, aimed);
};
