// A project id or the name of a loose service belongs to one manifest (ERR0218; `docs/behaviour.md`, "Names
// and places"). For manifests that are read together, the new declarations count: if one of them gives up a
// name, another may take it.
// Rules: `docs/behaviour.md`, "Names and places", "Services".
import type { ProjectId, ServiceId } from '../domain/ids.ts';
import { LOOSE } from '../domain/ids.ts';
import type { Manifest, Problem } from '../domain/declared/manifest.ts';
import { serviceAt } from './service-table.ts';
import type { SupervisorState } from './state.ts';

/** All names that a manifest claims, as it was read. */
interface Claimant {
  readonly path: string;
  readonly names: ReadonlySet<string>;
}

/** One name that a manifest claims. */
interface Claimed {
  /** The project or loose service. */
  readonly id: ProjectId | ServiceId;
  readonly what: string;
  readonly path: string;
  /** The manifest that has the name now. */
  readonly holder: string | undefined;
}

const looseIn = ({ services }: Manifest): Manifest['services'] =>
  services.filter(({ project }) => project === LOOSE);

const projectsIn = ({ projects }: Manifest): Manifest['projects'] =>
  projects.filter(({ id }) => id !== LOOSE);

/** Returns the names that a manifest claims. Called once for each manifest of those read together. */
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
 * Returns the manifest that owns the name. That is the present holder, unless it was read too and no longer
 * claims the name. Then it is the first manifest of those read that claims the name.
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
