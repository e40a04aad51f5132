// What a change does to services that it does not name. These must be within the rules too.
import type { Sup } from '../../client/api/sup-interface.ts';
import { nameOf, projectId, serviceId, shownId, type ServiceId } from '../../streams/domain/ids.ts';
import { isPattern } from '../../streams/selection/match.ts';
import type { InspectedService } from '../../streams/wire/documents/documents.ts';
import { type AllowRule, type AgentChange, permits, permitsAll } from './allow-rules.ts';

/** Returns the services that the names mean, as `project/service`. A pattern stays as it is written. */
export const exactNames = async (sup: Sup, written: readonly string[]): Promise<readonly string[]> => {
  const bare = written.filter((name) => !isPattern(name) && !name.includes('/'));
  if (bare.length === 0) return written;
  const { projects } = await sup.status({ services: bare });
  const ids = projects.flatMap(({ id, services }) =>
    services.map(({ name }) => serviceId(projectId(id), name)),
  );
  return [...written.filter((name) => !bare.includes(name)), ...ids];
};

/** Returns what is written and not permitted as a whole. */
export const beyondRules = (
  rules: readonly AllowRule[],
  change: AgentChange,
  written: readonly string[],
): readonly string[] => written.filter((name) => !permitsAll(rules, change, name));

/** Returns the ids that are not permitted. */
export const forbiddenIds = (
  rules: readonly AllowRule[],
  change: AgentChange,
  ids: readonly ServiceId[],
): readonly string[] => ids.filter((id) => !permits(rules, change, { id, name: nameOf(id) })).map(shownId);

/** Returns the ids of the services that are next to this one: what it depends on, or what depends on it. */
type Neighbours = (service: InspectedService) => readonly string[];

export const NEEDS: Neighbours = ({ depends_on: needs }) => needs.map(({ service }) => service);
export const DEPENDENTS: Neighbours = ({ dependents }) => dependents;

const idOf = ({ project, name }: Pick<InspectedService, 'project' | 'name'>): ServiceId =>
  serviceId(projectId(project), name);

/** Resolves to the selected services with all that `next` leads to, directly or through others. */
export const reached = async (
  { inspect }: Pick<Sup, 'inspect'>,
  written: readonly string[],
  next: Neighbours,
): Promise<readonly InspectedService[]> => {
  const known = new Map<string, InspectedService>();
  for (let fresh = written; fresh.length > 0;) {
    const { services } = await inspect({ services: fresh });
    for (const service of services) known.set(idOf(service), service);
    const found = services.flatMap((service) =>
      next(service).map((name) => serviceId(projectId(service.project), name)),
    );
    fresh = [...new Set(found)].filter((id) => !known.has(id));
  }
  return [...known.values()];
};

const IS_UP: ReadonlySet<string> = new Set(['running', 'starting', 'done']);

/** Returns those of the services that a start would start. */
export const toStart = (services: readonly InspectedService[]): readonly ServiceId[] =>
  services.filter(({ state }) => !IS_UP.has(state)).map(idOf);

export const idsOf = (services: readonly InspectedService[]): readonly ServiceId[] => services.map(idOf);
