// Carries out commands about declarations after their manifests were read. `start` adds new declarations.
// `restart` and `apply` make services run as declared. If a manifest is invalid, they change nothing
// (ERR0301).
// Rules: `docs/behaviour.md`, "Restart by hand", "Without a selection", "With names, -p, -c or --here".
import type { Command, Selection } from '../../domain/command.ts';
import { groupOf, instanceNumber, shownId, type RequestId, type ServiceId } from '../../domain/ids.ts';
import type { SupError } from '../../domain/errors/error.ts';
import { manifestError, manifestRemedy } from '../../domain/errors/error.ts';
import type { LoadResult, Problem } from '../../domain/declared/manifest.ts';
import type { Service } from '../../domain/service/service.ts';
import { plus } from '../../domain/time.ts';
import { inOrder } from '../../graph/graph.ts';
import { adoptUndeclaredRuns } from '../boot/adopt-runs.ts';
import { find, putRequest, setState, type Draft } from '../draft.ts';
import { claimantOf, claims } from '../manifest-claims.ts';
import { register, rewired } from '../register-manifests.ts';
import { countsOf, scaledManifest, withReplicas } from '../rollouts/number-of-instances.ts';
import { takeSlots } from '../rollouts/traffic-slot.ts';
import { beginRemoval } from '../rules/remove-undeclared.ts';
import { servicesOf } from '../service-table.ts';
import { changedTables } from '../supervisor-keys.ts';
import { beyondLimits, refuse, tellPlan } from './answer/command-reply.ts';
import { keepProblems, takeLeave, comeBack } from './declared-again.ts';
import { planOf } from './planned-changes.ts';
import { orderOf, type Request } from './request.ts';
import { isNew, isReturning } from './selected-services.ts';
import { sendOff, start } from './start-services.ts';
import { isAbout, takeUp, type Loaded, type TakenUp } from './services-to-change.ts';
import { aim, awaitTarget, awaitTargets } from './set-targets.ts';
import { takeTurn } from './restart-in-turn.ts';

interface Broken {
  readonly path: string;
  readonly problems: readonly Problem[];
}

/**
 * Separates valid manifests from invalid ones. A manifest that uses a name of another manifest is invalid.
 */
const sift = (
  draft: Draft,
  loads: readonly LoadResult[],
): { good: readonly Loaded[]; bad: readonly Broken[] } => {
  const together = loads.flatMap(({ manifest }) => (manifest ? [claimantOf(manifest)] : []));
  const checked = loads.map(({ path, manifest, problems }) => ({
    path,
    manifest,
    problems: manifest ? [...problems, ...claims(draft.state, together, manifest)] : problems,
  }));
  const isBad = (problems: readonly Problem[]): boolean =>
    problems.some(({ severity }) => severity === 'error');
  return {
    good: checked.flatMap(({ manifest, problems }) =>
      manifest && !isBad(problems) ? [{ manifest, problems }] : [],
    ),
    bad: checked.filter(({ problems }) => isBad(problems)),
  };
};

const texts = (problems: readonly Problem[]): readonly string[] =>
  problems.map(({ code, path, message }) => `${code} ${path === '' ? '' : `${path}: `}${message}`);

const problemsOf = (bad: readonly Broken[]): readonly Problem[] => bad.flatMap(({ problems }) => problems);

/** Returns the warning about an invalid manifest that the command did not name. */
const brokenText = ({ path, problems }: Broken): string => {
  const [first = 'it does not load'] = texts(problems.filter(({ severity }) => severity === 'error'));
  return `${path} is invalid; its services keep its last valid version: ${first} (${manifestRemedy(path)})`;
};

/** Returns warnings about `essential`, which works only under `sup supervise -c`. */
const unheeded = ({ state }: Draft, good: readonly Loaded[]): readonly string[] =>
  state.bound === true
    ? []
    : good
        .flatMap(({ manifest }) => manifest.services)
        .filter(({ essential }) => essential === true)
        .map(({ id }) => `${shownId(id)}: essential has an effect only with sup supervise -c`);

const startLoaded = (draft: Draft, request: Request, loads: readonly LoadResult[]): void => {
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

/** Stops the services to be removed, then restarts the other services one at a time, dependencies first. */
const bounce = (draft: Draft, request: Request, { ids, gone }: TakenUp): void => {
  const queue = inOrder(draft.state.graph, ids);
  const aimed = { ...aim(draft, request, [...gone.map(({ spec }) => spec.id), ...queue]), queue };
  if (gone.length === 0) return takeTurn(draft, aimed);
  putRequest(draft, aimed);
  for (const service of gone) {
    awaitTarget(draft, request.id, service);
    beginRemoval(draft, service, request);
  }
};

/**
 * Returns the warnings about the command's manifests, and one warning for each other manifest that is
 * invalid.
 */
const warningsOf = (draft: Draft, good: readonly Loaded[], others: readonly Broken[]): readonly string[] => [
  ...unheeded(draft, good),
  ...good.flatMap(({ problems }) => texts(problems)),
  ...others.map(brokenText),
];

const selectionOf = (command: Command): Selection => ('selection' in command ? command.selection : {});

/** Restores the state that the supervisor had before the declarations were registered. The requests stay. */
const forgetTaken = (draft: Draft, state: Draft['state']): void => {
  const { requests } = draft.state;
  setState(draft, { ...state, requests });
};

/** Carries out a restart, apply or plan if all its manifests are valid. */
const reconcile = (draft: Draft, request: Request, loads: readonly LoadResult[]): void => {
  const { good, bad } = sift(draft, loads);
  const selection = selectionOf(request.command);
  keepProblems(draft, loads);
  const { state } = draft;
  const blocking = bad.filter((load) => isAbout(state, selection, load));
  const others = bad.filter((load) => !blocking.includes(load));
  if (blocking.length > 0) {
    const manifests = blocking.map(({ path }) => path);
    const warnings = others.map(brokenText);
    return refuse(
      draft,
      { ...request, warnings },
      { code: 'ERR0301', manifests, problems: problemsOf(blocking) },
    );
  }
  const about = good.filter(({ manifest }) => isAbout(state, selection, { path: manifest.path, manifest }));
  const taken = takeUp(draft, request.command, { good, about });
  const tables = changedTables(state, draft.state);
  const warned: Request = {
    ...request,
    ...(tables.length > 0 && { tables }),
    warnings: warningsOf(draft, about, others),
  };
  if (!taken.ok) return refuse(draft, warned, taken.error);
  const concerned = [...taken.ids.flatMap((id) => find(draft, id) ?? []), ...taken.gone];
  const beyond = beyondLimits(request.command, concerned);
  if (beyond !== undefined) {
    refuse(draft, warned, beyond);
    return forgetTaken(draft, state);
  }
  takeSlots(draft, loads);
  if (request.command.type !== 'plan') {
    comeBack(draft);
    bounce(draft, warned, taken);
    return rewired(draft, state.graph);
  }
  tellPlan(draft, warned, planOf(draft, warned, taken));
  forgetTaken(draft, state);
};

interface Scaled {
  /** The number of instances for each service that the command names. */
  readonly counts: ReadonlyMap<ServiceId, number>;
  readonly about: readonly Loaded[];
}

/** Starts missing instances and removes those with too high numbers. The reply waits until this is done. */
const scaleTo = (draft: Draft, request: Request, { counts, about }: Scaled): void => {
  const { graph: before } = draft.state;
  for (const { manifest, problems } of about)
    register(
      draft,
      withReplicas(manifest, ({ id, replicas }) => counts.get(id) ?? replicas),
      problems,
    );
  adoptUndeclaredRuns(draft);
  const instances = servicesOf(draft.state.serviceTable).filter(({ spec }) => counts.has(groupOf(spec.id)));
  const isExcess = ({ spec: { id, name } }: Service): boolean =>
    (instanceNumber(name) ?? 0) > (counts.get(groupOf(id)) ?? 0);
  const gone = instances.filter(isExcess);
  const added = instances.filter((service) => !isExcess(service) && (isNew(service) || isReturning(service)));
  comeBack(draft);
  const ids = added.map(({ spec }) => spec.id);
  const deadline = plus(draft.at, draft.state.settings.startSettle);
  const aimed = aim(draft, { ...request, deadline }, [...gone.map(({ spec }) => spec.id), ...ids]);
  sendOff(draft, { targets: ids, ...orderOf(request) }, () => false);
  awaitTargets(draft, aimed);
  for (const service of gone) beginRemoval(draft, service, request);
  rewired(draft, before);
};

/** Carries out `scale` if the manifests of the named services are valid. */
const scaleLoaded = (draft: Draft, request: Request, loads: readonly LoadResult[]): void => {
  if (request.command.type !== 'scale') return;
  const { good, bad } = sift(draft, loads);
  keepProblems(draft, loads);
  const found = countsOf(
    request.command,
    good.map(({ manifest }) => manifest),
  );
  if (!found.ok) {
    const manifests = bad.map(({ path }) => path);
    const isUnknown = found.error.code === 'ERR0202' && bad.length > 0;
    const error: SupError = isUnknown
      ? { code: 'ERR0301', manifests, problems: problemsOf(bad) }
      : found.error;
    return refuse(draft, request, error);
  }
  const { counts } = found;
  const about = good.filter(({ manifest }) => manifest.groups?.some(({ id }) => counts.has(id)) === true);
  const warnings = warningsOf(draft, about, bad);
  scaleTo(draft, { ...request, warnings }, { counts, about });
};

/** Continues a command after its manifests have been read. */
export const loaded = (draft: Draft, id: RequestId, read: readonly LoadResult[]): void => {
  const request = draft.state.requests[id];
  if (request?.phase !== 'loading') return;
  const { scales } = draft.state;
  const loads = read.map((load) =>
    load.manifest === undefined ? load : { ...load, manifest: scaledManifest(load.manifest, scales) },
  );
  if (request.command.type === 'start') startLoaded(draft, request, loads);
  else if (request.command.type === 'scale') scaleLoaded(draft, request, loads);
  else reconcile(draft, request, loads);
};
