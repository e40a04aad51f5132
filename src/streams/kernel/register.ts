// Taking up what manifests declare: new services join, changed ones keep their newer declaration for their next run,
// and, where a command reconciles, those that are not declared any more leave.
import type { ProjectId, ServiceId } from '../domain/ids.ts';
import { LOOSE } from '../domain/ids.ts';
import type { Manifest, Problem, ProjectSpec } from '../domain/declared/manifest.ts';
import type { Service } from '../domain/service/service.ts';
import type { ServiceSpec } from '../domain/declared/spec.ts';
import { declaredOf } from '../deploy/runs.ts';
import { buildGraph, type Graph } from '../graph/graph.ts';
import type { Draft } from './draft.ts';
import { rosterOf, serviceAt, servicesOf, type Roster } from './roster.ts';
import type { SupervisorState } from './state.ts';
import { freshService } from '../domain/service/fresh-service.ts';

const claim = (what: string, path: string, [mine, other]: readonly [string, string]): Problem => ({
  code: 'ERR0218',
  severity: 'error',
  path,
  file: mine,
  message: `${what} is declared by ${mine} and already by ${other}`,
  hint: `rename one of them, or drop the other registration: sup forget ${other}`,
});

/** What this manifest declares although another registered one does already (ERR0218). */
export const claims = (state: SupervisorState, manifest: Manifest): readonly Problem[] => {
  const projects = manifest.projects
    .filter(({ id }) => id !== LOOSE && (state.projects[id]?.manifest ?? manifest.path) !== manifest.path)
    .map(({ id }) =>
      claim(`project "${id}"`, `projects.${id}`, [manifest.path, state.projects[id]?.manifest ?? '']),
    );
  const loose = manifest.services
    .filter(({ project }) => project === LOOSE)
    .flatMap(({ id, name }) => {
      const other = serviceAt(state.roster, id);
      if (other === undefined || other.leaving || other.spec.manifest === manifest.path) return [];
      return [claim(`loose service "${name}"`, `services.${name}`, [manifest.path, other.spec.manifest])];
    });
  return [...projects, ...loose];
};

const revisedBy = (service: Service, spec: ServiceSpec): Service => {
  const { revised, ...rest } = service;
  const stays = { ...rest, leaving: false };
  if (declaredOf(rest).digest === spec.digest) return stays;
  return { ...stays, revised: spec };
};

const isNews = (service: Service, spec: ServiceSpec): boolean =>
  service.leaving || declaredOf(service).digest !== spec.digest;

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

/** Who needs whom, by the newest declarations. */
export const graphOf = (roster: Roster): Graph => buildGraph(servicesOf(roster).map(declaredOf));

/** For whoever has changed the roster or a declaration. */
export const rebuildGraph = (draft: Draft): void => {
  draft.state = { ...draft.state, graph: graphOf(draft.state.roster) };
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
  draft.state = {
    ...state,
    roster,
    graph: graphOf(roster),
    projects: projectsAfter(state.projects, manifest),
    manifests: { ...state.manifests, [manifest.path]: problems },
    ...(manifest.status && { status: manifest.status }),
    ...(manifest.metrics && { metrics: manifest.metrics }),
  };
  [...added, ...changed].forEach(({ id }) => draft.services.add(id));
  return { added: added.map(({ id }) => id), changed: changed.map(({ id }) => id) };
};

/** Services of this manifest that it does not declare any more. */
export const undeclared = (state: SupervisorState, manifest: Manifest): readonly Service[] => {
  const declared = new Set(manifest.services.map(({ id }) => id));
  return servicesOf(state.roster).filter(
    ({ spec }) => spec.manifest === manifest.path && !declared.has(spec.id),
  );
};
