// A project id, or the name of a service outside projects, may be used by only one manifest (ERR0218).
// Manifests that are read together are compared by their new contents: if one manifest no longer uses a name,
// another manifest may use it.
// Rules: `docs/behaviour.md`, "Names and places", "Services".
import type { ProjectId, ServiceId } from '../domain/ids.ts';
import { declaredName, groupOf, instanceId, LOOSE } from '../domain/ids.ts';
import type { Manifest, Problem } from '../domain/declared/manifest.ts';
import { serviceAt } from './service-table.ts';
import type { SupervisorState } from './state.ts';

interface Claimant {
  readonly path: string;
  readonly names: ReadonlySet<string>;
}

interface Claimed {
  readonly id: ProjectId | ServiceId;
  readonly what: string;
  readonly path: string;
  /** The path of the registered manifest that uses the name; `undefined` if there is none. */
  readonly holder: string | undefined;
}

const looseIn = ({ services }: Manifest): Manifest['services'] =>
  services.filter(({ project }) => project === LOOSE);

const projectsIn = ({ projects }: Manifest): Manifest['projects'] =>
  projects.filter(({ id }) => id !== LOOSE);

/** Returns the names that a manifest uses: project ids, and services outside projects. */
export const claimantOf = (manifest: Manifest): Claimant => ({
  path: manifest.path,
  names: new Set<string>([
    ...projectsIn(manifest).map(({ id }) => id),
    ...looseIn(manifest).map(({ id }) => groupOf(id)),
  ]),
});

const holderOf = ({ serviceTable }: SupervisorState, id: ServiceId): string | undefined => {
  const service = serviceAt(serviceTable, id) ?? serviceAt(serviceTable, instanceId(id, 1));
  return service === undefined || service.leaving ? undefined : service.spec.manifest;
};

/**
 * Returns the ids and names of the declared services outside projects. A service with `replicas` is listed
 * once.
 */
const looseNames = (manifest: Manifest): readonly (readonly [ServiceId, string])[] => [
  ...new Map(looseIn(manifest).map(({ id, name }) => [groupOf(id), declaredName(name)] as const)),
];

const claimedBy = (state: SupervisorState, manifest: Manifest): readonly Claimed[] => [
  ...projectsIn(manifest).map(({ id }) => ({
    id,
    what: `project "${id}"`,
    path: `projects.${id}`,
    holder: state.projects[id]?.manifest,
  })),
  ...looseNames(manifest).map(([id, name]) => ({
    id,
    what: `loose service "${name}"`,
    path: `services.${name}`,
    holder: holderOf(state, id),
  })),
];

/**
 * Returns the path of the manifest that may use the name. The registered holder may keep the name if it still
 * uses it; otherwise the first manifest in `together` that uses the name gets it.
 */
const ownerAmong = (together: readonly Claimant[], { id, holder }: Claimed): string | undefined => {
  const read = together.find(({ path }) => path === holder);
  if (holder !== undefined && (read === undefined || read.names.has(id))) return holder;
  return together.find(({ names }) => names.has(id))?.path;
};

const hintOf = (other: string, isRead: boolean): string => {
  const hint = `rename one of them, or drop the other registration: sup forget ${other}`;
  return isRead ? hint : `${hint}; if it is not declared there any more: sup apply`;
};

/** Returns ERR0218 for each name of this manifest that belongs to another manifest. */
export const claims = (
  state: SupervisorState,
  together: readonly Claimant[],
  manifest: Manifest,
): readonly Problem[] =>
  claimedBy(state, manifest).flatMap((claimed): readonly Problem[] => {
    const other = ownerAmong(together, claimed);
    if (other === undefined || other === manifest.path) return [];
    return [
      {
        code: 'ERR0218',
        severity: 'error',
        path: claimed.path,
        file: manifest.path,
        message: `${claimed.what} is declared by ${manifest.path} and already by ${other}`,
        hint: hintOf(
          other,
          together.some(({ path }) => path === other),
        ),
      },
    ];
  });
