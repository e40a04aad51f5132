// One project id, or one loose name, belongs to one manifest (ERR0218; `docs/behaviour.md`, "Names and places"). Manifests that are
// read together are judged by what they declare by now: what one has given up another may have.
import type { ProjectId, ServiceId } from '../domain/ids.ts';
import { LOOSE } from '../domain/ids.ts';
import type { Manifest, Problem } from '../domain/declared/manifest.ts';
import { serviceAt } from './roster.ts';
import type { SupervisorState } from './state.ts';

/** What a manifest claims, as it was read. */
interface Claimant {
  readonly path: string;
  readonly names: ReadonlySet<string>;
}

/** One of the things that it claims. */
interface Claimed {
  /** Of the project or the loose service. */
  readonly id: ProjectId | ServiceId;
  readonly what: string;
  readonly path: string;
  /** Whose it is by the state. */
  readonly holder: string | undefined;
}

const looseIn = ({ services }: Manifest): Manifest['services'] =>
  services.filter(({ project }) => project === LOOSE);

const projectsIn = ({ projects }: Manifest): Manifest['projects'] =>
  projects.filter(({ id }) => id !== LOOSE);

/** Built once for all that were read together. */
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

/** Whoever has it, unless it was read and claims it no more; then the first that does. */
const ownerAmong = (together: readonly Claimant[], { id, holder }: Claimed): string | undefined => {
  const read = together.find(({ path }) => path === holder);
  if (holder !== undefined && (read === undefined || read.names.has(id))) return holder;
  return together.find(({ names }) => names.has(id))?.path;
};

const hintOf = (other: string, isRead: boolean): string => {
  const hint = `rename one of them, or drop the other registration: sup forget ${other}`;
  return isRead ? hint : `${hint}; if it is not declared there any more: sup apply`;
};

/** What this manifest declares although another registered one does already (ERR0218). */
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
