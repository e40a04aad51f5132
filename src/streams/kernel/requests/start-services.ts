// `start`: adds the new declarations of its manifests, and starts the selected services and all their
// dependencies, dependencies first. It stops no service.
// Rules: `docs/behaviour.md`, "Starting"; `docs/behaviour.md`, "Restart by hand"; `docs/behaviour.md`,
// "Starting", "Skip".
import { failedRollout } from '../../rollout/rollback-spec.ts';
import type { LoadResult } from '../../domain/declared/manifest.ts';
import { manifestError } from '../../domain/errors/error.ts';
import { shownId, type ServiceId } from '../../domain/ids.ts';
import type { Service } from '../../domain/service/service.ts';
import { plus } from '../../domain/time.ts';
import { inOrder, withDependencies, withRequired } from '../../graph/graph.ts';
import { isRunning } from '../../graph/dependency-state.ts';
import { isNamed } from '../../selection/match.ts';
import { find, put, serviceIs, type Draft } from '../draft.ts';
import { adoptUndeclaredRuns } from '../boot/adopt-runs.ts';
import { register, rewired } from '../register-manifests.ts';
import { takeSlots } from '../rollouts/traffic-slot.ts';
import { send } from '../send.ts';
import { beyondLimits, refuse } from './answer/command-reply.ts';
import { takeLeave } from '../rules/remove-undeclared.ts';
import { comeBack } from './declared-again.ts';
import { keepProblems, brokenText, problemsOf, sift, texts, unheeded } from './invalid-manifests.ts';
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

/** Starts the selected services, without those in `gone`. */
const start = (draft: Draft, request: Request, gone: ReadonlySet<ServiceId>): void => {
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

/**
 * Carries out `start` after its manifests were read: adds their new services, then starts the selected ones.
 */
export const startLoaded = (draft: Draft, request: Request, loads: readonly LoadResult[]): void => {
  const { good, bad } = sift(draft, loads);
  const [path] = request.paths;
  const explicit = request.command.type === 'start' && request.command.selection.manifest !== undefined;
  if (explicit && bad.length > 0 && path !== undefined)
    return refuse(draft, request, manifestError(path, problemsOf(bad)));
  const { graph } = draft.state;
  keepProblems(draft, loads);
  good.forEach(({ manifest, problems }) => register(draft, manifest, problems));
  adoptUndeclaredRuns(draft);
  comeBack(draft);
  takeSlots(draft, loads);
  const gone = takeLeave(
    draft,
    good.map(({ manifest }) => manifest),
  );
  const warnings = [
    ...gone.warnings,
    ...unheeded(draft, good),
    ...good.flatMap(({ problems }) => texts(problems)),
    ...bad.map(brokenText),
  ];
  start(draft, { ...request, warnings }, gone.ids);
  rewired(draft, graph);
};
