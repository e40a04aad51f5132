// Taking up what manifests declare: new services join, changed ones keep their newer declaration for their next run,
// and, where a command reconciles, those that are not declared any more leave.
import type { ProjectId, ServiceId } from '../domain/ids.ts';
import { LOOSE } from '../domain/ids.ts';
import type { Manifest, Problem, ProjectSpec } from '../domain/declared/manifest.ts';
import type { Service } from '../domain/service/service.ts';
import type { ServiceSpec } from '../domain/declared/spec.ts';
import { differenceOf } from '../rollout/difference.ts';
import { isCalledOff } from '../rollout/input.ts';
import { declaredOf, madeOf, rejectedOf } from '../rollout/runs.ts';
import { buildGraph, consistent, touchedBetween, type Graph } from '../graph/graph.ts';
import { find, put, revisit, type Draft } from './draft.ts';
import { rosterOf, serviceAt, servicesOf, type Roster } from './roster.ts';
import type { SupervisorState } from './state.ts';
import { withTables } from './tables.ts';
import { freshService } from '../domain/service/fresh-service.ts';

/** The same declaration in another manifest: nothing of its run would be different. */
const isMoved = (from: ServiceSpec, to: ServiceSpec): boolean =>
  from.manifest !== to.manifest &&
  from.directory === to.directory &&
  from.schema === to.schema &&
  differenceOf({ ...from, manifest: to.manifest }, to).length === 0;

const isSame = (known: ServiceSpec, spec: ServiceSpec): boolean =>
  known.digest === spec.digest || isMoved(known, spec);

const ownedBy = (known: ServiceSpec, spec: ServiceSpec): ServiceSpec =>
  isMoved(known, spec) ? spec : { ...known, manifest: spec.manifest };

/** Whose it is: at once, and of both its runs. */
const movedBy = <S extends Service>(service: S, spec: ServiceSpec): S => {
  if (service.spec.manifest === spec.manifest) return service;
  const { rollout } = service;
  return {
    ...service,
    spec: ownedBy(service.spec, spec),
    ...(rollout && { rollout: { ...rollout, other: movedBy(rollout.other, spec) } }),
  };
};

/** It failed to roll out: nobody takes it up by the way. */
const isRejected = (service: Service, spec: ServiceSpec): boolean => rejectedOf(service) === spec.digest;

/** A candidate of another declaration is being brought to its end: what it was to be is taken back. */
const takesBack = ({ rollout }: Service, spec: ServiceSpec): boolean =>
  isCalledOff(rollout?.undoing) && rollout?.other.spec.digest !== spec.digest;

const revisedBy = (service: Service, spec: ServiceSpec): Service => {
  const { revised, ...rest } = service;
  const stays = movedBy({ ...rest, leaving: false }, spec);
  if (isMadeGood(service, spec)) return withoutRejected(stays);
  if (takesBack(service, spec)) return { ...stays, revised: spec };
  return isSame(declaredOf(rest), spec) || isRejected(service, spec) ? stays : { ...stays, revised: spec };
};

/** Its manifest says what runs again: a declaration that failed to roll out is no matter any more. */
const isMadeGood = ({ rejected, rolledBack, rollout, spec }: Service, declared: ServiceSpec): boolean =>
  rejected !== undefined &&
  rollout === undefined &&
  (rolledBack ?? spec.digest) === spec.digest &&
  isSame(spec, declared);

const withoutRejected = ({ rejected: _, rolledBack: __, ...rest }: Service): Service => rest;

/** What its next run is made of is no news of its manifest: a person has rolled back to that. */
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

/** Declarations that its runs are made of, and that are not the newest. */
const olderOf = (service: Service): readonly ServiceSpec[] =>
  madeOf(service).filter((spec) => spec !== declaredOf(service));

/** Who needs whom, by the newest declarations and by those that runs are made of. */
export const graphOf = (roster: Roster): Graph => {
  const services = servicesOf(roster);
  return buildGraph(consistent(services.map(declaredOf)), services.flatMap(olderOf));
};

/**
 * The graph was another one: what somebody waited for, was held down by or held up may be no need of it any more, and what
 * happens from now on walks the new edges.
 */
export const rewired = (draft: Draft, before: Graph): void =>
  touchedBetween(before, draft.state.graph).forEach((id) => revisit(draft, id));

/** For whoever has changed a declaration. */
export const rebuildGraph = (draft: Draft): void => {
  const { graph: before } = draft.state;
  draft.state = { ...draft.state, graph: graphOf(draft.state.roster) };
  rewired(draft, before);
};

interface Registered {
  readonly added: readonly ServiceId[];
  readonly changed: readonly ServiceId[];
}

/** Adds and revises; removes nobody. `problems` are the warnings of the load. */
export const register = (draft: Draft, manifest: Manifest, problems: readonly Problem[]): Registered => {
  const { state } = draft;
  const known = manifest.services.filter(({ id }) => serviceAt(state.roster, id) !== undefined);
  const added = manifest.services.filter(({ id }) => serviceAt(state.roster, id) === undefined);
  const changed = known.filter((spec) => {
    const service = serviceAt(state.roster, spec.id);
    return service !== undefined && isNews(service, spec);
  });
  const news = new Map(changed.map((spec) => [spec.id, spec]));
  const services = servicesOf(state.roster).map((service) => {
    const spec = news.get(service.spec.id);
    return spec === undefined ? service : revisedBy(service, spec);
  });
  const roster = rosterOf([...services, ...added.map(freshService)]);
  const registered = {
    ...state,
    roster,
    graph: graphOf(roster),
    projects: projectsAfter(state.projects, manifest),
    manifests: { ...state.manifests, [manifest.path]: problems },
  };
  draft.state = withTables(registered, manifest);
  [...added, ...changed].forEach(({ id }) => draft.services.add(id));
  return { added: added.map(({ id }) => id), changed: changed.map(({ id }) => id) };
};

const triedAgain = (service: Service, spec: ServiceSpec): Service => {
  const rest = withoutRejected(service);
  return isSame(declaredOf(service), spec) ? rest : { ...rest, revised: spec };
};

/** For an apply or a restart of these services: what failed to roll out is taken up once more. */
export const tryAgain = (draft: Draft, ids: readonly ServiceId[], manifests: readonly Manifest[]): void => {
  const declared = new Map(manifests.flatMap(({ services }) => services.map((spec) => [spec.id, spec])));
  const rejected = ids.flatMap((id) => {
    const [service, spec] = [find(draft, id), declared.get(id)];
    return service && spec && isRejected(service, spec) ? [{ service, spec }] : [];
  });
  if (rejected.length === 0) return;
  rejected.forEach(({ service, spec }) => put(draft, triedAgain(service, spec)));
  draft.state = { ...draft.state, graph: graphOf(draft.state.roster) };
};

/** Services of these manifests that none of them declares any more. */
export const undeclared = (state: SupervisorState, manifests: readonly Manifest[]): readonly Service[] => {
  const paths = new Set(manifests.map(({ path }) => path));
  const declared = new Set(manifests.flatMap(({ services }) => services.map(({ id }) => id)));
  return servicesOf(state.roster).filter(({ spec }) => paths.has(spec.manifest) && !declared.has(spec.id));
};
