// A project id belongs to one manifest, and so does the name of a service outside any project (ERR0218;
// `docs/behaviour.md`, "Names and places"). If several manifests are read together, their new declarations
// count: if one of them gives up a name, another may use it.
// Rules: `docs/behaviour.md`, "Names and places", "Services".
import type { ProjectId, ServiceId } from '../domain/ids.ts';
import { LOOSE } from '../domain/ids.ts';
import type { Manifest, Problem } from '../domain/declared/manifest.ts';
import { serviceAt } from './service-table.ts';
import type { SupervisorState } from './state.ts';

/** All names that a manifest uses (project ids, and services outside any project), as it was read. */
interface Claimant {
  readonly path: string;
  readonly names: ReadonlySet<string>;
}

/** One name that a manifest uses. */
interface Claimed {
  /** The project, or the service outside any project. */
  readonly id: ProjectId | ServiceId;
  readonly what: string;
  readonly path: string;
  /** The path of the manifest that has the name now; `undefined` if none has it. */
  readonly holder: string | undefined;
}

const looseIn = ({ services }: Manifest): Manifest['services'] =>
  services.filter(({ project }) => project === LOOSE);

const projectsIn = ({ projects }: Manifest): Manifest['projects'] =>
  projects.filter(({ id }) => id !== LOOSE);

/** Returns the names that a manifest uses (project ids, and services outside any project). */
export const claimantOf = (manifest: Manifest): Claimant => ({
  path: manifest.path,
  names: new Set<string>([
    ...projectsIn(manifest).map(({ id }) => id),
    ...looseIn(manifest).map(({ id }) => id),
  ]),
});

const holderOf = (state: SupervisorState, id: ServiceId): string | undefined => {
  const service = serviceAt(state.roster, id);
  return service === undefined || service.leaving ? undefined : service.spec.manifest;
};

const claimedBy = (state: SupervisorState, manifest: Manifest): readonly Claimed[] => [
  ...projectsIn(manifest).map(({ id }) => ({
    id,
    what: `project "${id}"`,
    path: `projects.${id}`,
    holder: state.projects[id]?.manifest,
  })),
  ...looseIn(manifest).map(({ id, name }) => ({
    id,
    what: `loose service "${name}"`,
    path: `services.${name}`,
    holder: holderOf(state, id),
  })),
];

/**
 * Returns the manifest that may use the name. That is the one that has it now, unless it was read again and
 * no longer uses the name. Then it is the first manifest of `together` that uses the name.
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

/** Returns ERR0218 for each name in this manifest that belongs to another registered manifest. */
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
