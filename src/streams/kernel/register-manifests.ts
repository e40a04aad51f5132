// Adds manifests to the state: adds new services, and stores the new declaration of a changed service for its
// next run.
// Rules: `docs/behaviour.md`, "Names and places", "Services".
import type { ProjectId, ServiceId } from '../domain/ids.ts';
import { LOOSE } from '../domain/ids.ts';
import type { Manifest, Problem, ProjectSpec, Reading, Readings } from '../domain/declared/manifest.ts';
import type { Run } from '../domain/service/service-run.ts';
import { freshService, type Service } from '../domain/service/service.ts';
import type { ServiceSpec } from '../domain/declared/spec.ts';
import { differenceOf } from '../rollout/changed-keys.ts';
import { isCalledOff } from '../rollout/rollout-input.ts';
import { declaredOf, madeOf, rejectedOf } from '../rollout/two-runs.ts';
import {
  buildGraph,
  consistent,
  onInstances,
  touchedBetween,
  withoutNodes,
  type Graph,
} from '../graph/graph.ts';
import { changeState, find, put, revisit, setState, type Draft } from './draft.ts';
import { serviceTableOf, serviceAt, servicesOf, type ServiceTable } from './service-table.ts';
import type { SupervisorState } from './state.ts';
import { scalesAfter } from './rollouts/number-of-instances.ts';
import { withTables } from './supervisor-keys.ts';

/** True if only the path of the manifest differs, so that no new run is needed. */
const isMoved = (from: ServiceSpec, to: ServiceSpec): boolean =>
  from.manifest !== to.manifest &&
  from.directory === to.directory &&
  from.schema === to.schema &&
  differenceOf({ ...from, manifest: to.manifest }, to).length === 0;

const isSame = (known: ServiceSpec, spec: ServiceSpec): boolean =>
  known.digest === spec.digest || isMoved(known, spec);

const ownedBy = (known: ServiceSpec, spec: ServiceSpec): ServiceSpec =>
  isMoved(known, spec) ? spec : { ...known, manifest: spec.manifest };

const runMovedBy = <R extends Run>(run: R, spec: ServiceSpec): R =>
  run.spec.manifest === spec.manifest ? run : { ...run, spec: ownedBy(run.spec, spec) };

/**
 * Returns the service after the manifest path in `spec` was set in all runs of the service. All
 * other changes take effect with the next run.
 */
const movedBy = (service: Service, spec: ServiceSpec): Service => {
  const moved = runMovedBy(service, spec);
  const { rollout } = moved;
  return rollout === undefined || moved === service
    ? moved
    : { ...moved, rollout: { ...rollout, other: runMovedBy(rollout.other, spec) } };
};

/**
 * True if a rollout of this declaration failed. No run uses the declaration before an apply or restart tries
 * it again.
 */
const isRejected = (service: Service, spec: ServiceSpec): boolean => rejectedOf(service) === spec.digest;

/** True if the rollout of a declaration other than `spec` was cancelled. The next run then uses `spec`. */
const takesBack = ({ rollout }: Service, spec: ServiceSpec): boolean =>
  isCalledOff(rollout?.undoing) && rollout?.other.spec.digest !== spec.digest;

const revisedBy = (service: Service, spec: ServiceSpec): Service => {
  const { revised, ...rest } = service;
  const stays = movedBy({ ...rest, leaving: false }, spec);
  if (isMadeGood(service, spec)) return withoutRejected(stays);
  if (takesBack(service, spec)) return { ...stays, revised: spec };
  return isSame(declaredOf(rest), spec) || isRejected(service, spec) ? stays : { ...stays, revised: spec };
};

/**
 * True if the manifest again has the declaration of the current run, so that the failed rollout no longer
 * matters.
 */
const isMadeGood = ({ rejected, rolledBack, rollout, spec }: Service, declared: ServiceSpec): boolean =>
  rejected !== undefined &&
  rollout === undefined &&
  (rolledBack ?? spec.digest) === spec.digest &&
  isSame(spec, declared);

const withoutRejected = ({ rejected: _, rolledBack: __, ...rest }: Service): Service => rest;

/** True if the next run uses a declaration that a user rolled back to. */
const isRollingBack = ({ revised, rolledBack }: Service): boolean =>
  revised !== undefined && revised.digest === rolledBack;

const isNews = (service: Service, spec: ServiceSpec): boolean => {
  if (
    service.leaving ||
    isMadeGood(service, spec) ||
    (service.revised === undefined && takesBack(service, spec))
  )
    return true;
  if ((service.revised === undefined || isRollingBack(service)) && isRejected(service, spec)) return false;
  return declaredOf(service).digest !== spec.digest;
};

const projectsAfter = (
  projects: SupervisorState['projects'],
  manifest: Manifest,
): Readonly<Record<ProjectId, ProjectSpec>> => {
  const loose: readonly ProjectSpec[] = manifest.services.some(({ project }) => project === LOOSE)
    ? [{ id: LOOSE, name: LOOSE, manifest: manifest.path }]
    : [];
  const declared = [...loose, ...manifest.projects];
  return { ...projects, ...Object.fromEntries(declared.map((project) => [project.id, project])) };
};

/** Returns the older declarations that runs of the service still use. */
const olderOf = (service: Service): readonly ServiceSpec[] =>
  madeOf(service).filter((spec) => spec !== declaredOf(service));

/**
 * Returns a function that replaces a dependency on a service with `replicas` by dependencies on all its
 * instances.
 */
const withInstances = (serviceTable: ServiceTable): ((spec: ServiceSpec) => ServiceSpec) => {
  const hasInstances = Object.keys(serviceTable.slots).some((id) => id.includes('@'));
  if (!hasInstances) return (spec) => spec;
  return (spec) => ({
    ...spec,
    dependsOn: spec.dependsOn.flatMap((need) => onInstances(need, (id) => serviceAt(serviceTable, id))),
  });
};

/** Returns the dependency graph of the newest declarations and of older ones that runs still use. */
export const graphOf = (serviceTable: ServiceTable): Graph => {
  const services = servicesOf(serviceTable);
  const resolved = withInstances(serviceTable);
  const newest = services.map((service) => resolved(declaredOf(service)));
  return buildGraph(consistent(newest), services.flatMap(olderOf).map(resolved));
};

/** Returns the dependency graph without the removed services `gone`. `left`: the remaining services. */
export const graphWithout = (graph: Graph, gone: readonly Service[], left: ServiceTable): Graph => {
  const hasOlder = gone.some((service) => olderOf(service).length > 0);
  const ids = new Set(gone.map(({ spec }) => spec.id));
  return (hasOlder ? undefined : withoutNodes(graph, ids)) ?? graphOf(left);
};

/**
 * Queues the services that a change of the dependency graph affects: they may wait for a dependency that is
 * no longer declared.
 */
export const rewired = (draft: Draft, before: Graph): void =>
  touchedBetween(before, draft.state.graph).forEach((id) => revisit(draft, id));

/** Builds the dependency graph again after a declaration changed, and queues the affected services. */
export const rebuildGraph = (draft: Draft): void => {
  const { graph: before } = draft.state;
  changeState(draft, { graph: graphOf(draft.state.serviceTable) });
  rewired(draft, before);
};

/**
 * Returns a copy of the readings in which the manifest at `path` has this reading. Without a `reading`, the
 * manifest has no entry.
 */
export const withReading = (
  readings: Readings | undefined,
  path: string,
  reading?: Reading,
): { readonly readings?: Readings } => {
  if (reading === undefined && readings?.[path] === undefined)
    return readings === undefined ? {} : { readings };
  const { [path]: _, ...others } = readings ?? {};
  return { readings: reading === undefined ? others : { ...others, [path]: reading } };
};

/**
 * Returns a copy of the profiles in which this manifest has its present profiles. A manifest without profiles
 * has no entry.
 */
export const withProfiles = (
  known: SupervisorState['profiles'],
  { path, profiles }: Pick<Manifest, 'path' | 'profiles'>,
): Pick<SupervisorState, 'profiles'> => {
  if (known === undefined && profiles === undefined) return {};
  const { [path]: _, ...others } = known ?? {};
  return { profiles: profiles === undefined ? others : { ...others, [path]: profiles } };
};

interface Registered {
  readonly added: readonly ServiceId[];
  readonly changed: readonly ServiceId[];
}

/**
 * Adds new services of the manifest and stores newer declarations. `problems`: the warnings about the
 * manifest.
 */
export const register = (draft: Draft, manifest: Manifest, problems: readonly Problem[]): Registered => {
  const { state } = draft;
  const known = manifest.services.filter(({ id }) => serviceAt(state.serviceTable, id) !== undefined);
  const added = manifest.services.filter(({ id }) => serviceAt(state.serviceTable, id) === undefined);
  const changed = known.filter((spec) => {
    const service = serviceAt(state.serviceTable, spec.id);
    return service !== undefined && isNews(service, spec);
  });
  const news = new Map(changed.map((spec) => [spec.id, spec]));
  const services = servicesOf(state.serviceTable).map((service) => {
    const spec = news.get(service.spec.id);
    return spec === undefined ? service : revisedBy(service, spec);
  });
  const serviceTable = serviceTableOf([...services, ...added.map(freshService)]);
  const registered = {
    ...state,
    serviceTable,
    graph: graphOf(serviceTable),
    projects: projectsAfter(state.projects, manifest),
    manifests: { ...state.manifests, [manifest.path]: problems },
    ...withReading(state.readings, manifest.path, manifest.reading),
    ...withProfiles(state.profiles, manifest),
    ...scalesAfter(state.scales, manifest),
  };
  setState(draft, withTables(registered, manifest));
  [...added, ...changed].forEach(({ id }) => draft.services.add(id));
  return { added: added.map(({ id }) => id), changed: changed.map(({ id }) => id) };
};

const triedAgain = (service: Service, spec: ServiceSpec): Service => {
  const rest = withoutRejected(service);
  return isSame(declaredOf(service), spec) ? rest : { ...rest, revised: spec };
};

/**
 * Permits the declarations of these services that were rejected after a failed rollout, because an apply or
 * restart tries them again.
 */
export const tryAgain = (draft: Draft, ids: readonly ServiceId[], manifests: readonly Manifest[]): void => {
  const declared = new Map(manifests.flatMap(({ services }) => services.map((spec) => [spec.id, spec])));
  const rejected = ids.flatMap((id) => {
    const [service, spec] = [find(draft, id), declared.get(id)];
    return service && spec && isRejected(service, spec) ? [{ service, spec }] : [];
  });
  if (rejected.length === 0) return;
  rejected.forEach(({ service, spec }) => put(draft, triedAgain(service, spec)));
  changeState(draft, { graph: graphOf(draft.state.serviceTable) });
};

/** Returns the registered services of these manifests that the manifests no longer declare. */
export const undeclared = (state: SupervisorState, manifests: readonly Manifest[]): readonly Service[] => {
  const paths = new Set(manifests.map(({ path }) => path));
  const declared = new Set(manifests.flatMap(({ services }) => services.map(({ id }) => id)));
  return servicesOf(state.serviceTable).filter(
    ({ spec }) => paths.has(spec.manifest) && !declared.has(spec.id),
  );
};
