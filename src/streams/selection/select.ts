// Finds the ids of the services that a selection names, or returns the error about a name.
// Rules: `docs/behaviour.md`, "Instances", "A name selects all instances".
import type { Selection } from '../domain/command.ts';
import type { Manifest } from '../domain/declared/manifest.ts';
import type { SupError, Unchosen } from '../domain/errors/error.ts';
import { groupOf, nameOf, projectOf, shownId, type ServiceId } from '../domain/ids.ts';
import { isPattern, isSelected, means, type Selectable } from './match.ts';

export type Selected =
  | { readonly ok: true; readonly ids: readonly ServiceId[] }
  | { readonly ok: false; readonly error: SupError };

/** The services, projects and manifests that a selection can name. */
export interface Known {
  /** All services. The selected services are returned in this order. */
  readonly services: readonly Selectable[];
  readonly projects: readonly { readonly id: string; readonly manifest: string }[];
  readonly manifests: readonly string[];
  /** Returns the services that declare `profiles`, even if none of their profiles is chosen. */
  readonly profiled?: () => readonly Unchosen[];
}

/** Returns the services of a manifest that declare `profiles`. */
export const profiledIn = ({
  path,
  profiles = [],
  reading,
}: Pick<Manifest, 'path' | 'profiles' | 'reading'>): readonly Unchosen[] =>
  profiles.map((each) => ({ ...each, manifest: path, ...(reading && { reading }) }));

type Refusal = SupError | undefined;

const unknownProject = ({ projects }: Known, selection: Selection): Refusal => {
  const known = projects.map(({ id }) => id);
  const name = selection.projects?.find((id) => !known.includes(id));
  return name === undefined ? undefined : { code: 'ERR0202', name, known };
};

const unknownManifest = ({ manifests }: Known, { manifest: name }: Selection): Refusal =>
  name === undefined || manifests.includes(name) ? undefined : { code: 'ERR0202', name, known: manifests };

/** Returns an error if `-p` names a project that the manifest of `-c` does not declare. */
const contradiction = ({ services, projects }: Known, selection: Selection): Refusal => {
  const { manifest } = selection;
  if (manifest === undefined) return undefined;
  const foreign = selection.projects?.find(
    (name) =>
      !projects.some(({ id, manifest: file }) => id === name && file === manifest) &&
      !services.some(({ project, manifest: file }) => project === name && file === manifest),
  );
  if (foreign === undefined) return undefined;
  return { code: 'ERR0201', detail: `project "${foreign}" is not declared by ${manifest}` };
};

interface Scope {
  readonly known: Known;
  /** The projects and the manifest of the selection, without its names of services. */
  readonly borders: Selection;
  /** The services in the projects and the manifest of the selection. */
  readonly within: readonly Selectable[];
}

/**
 * Returns the service of this name that was not read from its manifest, because none of its profiles is
 * chosen.
 */
const unchosenAs = (written: string, { known, borders }: Scope): Unchosen | undefined =>
  known.profiled?.().find(({ service: id, manifest }) => {
    const named = { id, name: nameOf(id), project: projectOf(id), manifest };
    return means(written, named) && isSelected(named, borders);
  });

/** Returns the error for a name that matches no service. */
const unknownName = (written: string, scope: Scope): SupError => {
  const { known, within } = scope;
  const unchosen = unchosenAs(written, scope);
  if (unchosen !== undefined) return { code: 'ERR0202', name: written, known: [], unchosen };
  if (known.services.some((service) => means(written, service)))
    return {
      code: 'ERR0201',
      detail: `service "${written}" is not part of the selection made with -p, -c or --here`,
    };
  const ids = (within.length > 0 ? within : known.services).map(({ id }) => groupOf(id));
  const names = [...new Set(ids)].map(shownId);
  const isProject = known.projects.some(({ id }) => id === written);
  return { code: 'ERR0202', name: written, known: names, ...(isProject && { isProject }) };
};

const wrongName = (written: string, scope: Scope): Refusal => {
  const found = scope.within.filter((service) => means(written, service));
  if (found.length === 0) return unknownName(written, scope);
  const declared = new Set(found.map(({ id }) => groupOf(id)));
  if (declared.size === 1 || isPattern(written)) return undefined;
  return { code: 'ERR0006', name: written, projects: found.map(({ project }) => project) };
};

/** Returns the ids of the selected services, or the error of an unknown or ambiguous name. */
export const select = (known: Known, selection: Selection): Selected => {
  const { services, ...borders } = selection;
  const beyond =
    unknownProject(known, selection) ?? unknownManifest(known, selection) ?? contradiction(known, selection);
  if (beyond !== undefined) return { ok: false, error: beyond };
  const within = known.services.filter((service) => isSelected(service, borders));
  for (const written of services ?? []) {
    const error = wrongName(written, { known, borders, within });
    if (error !== undefined) return { ok: false, error };
  }
  const chosen = within.filter((service) => isSelected(service, selection));
  return { ok: true, ids: chosen.map(({ id }) => id) };
};
