// Finds files of projects and services that are no longer registered, for `purge`. The supervisor renames
// them into a directory of removed files, in one synchronous step, so that no project can be registered
// meanwhile. The client deletes them.
import { randomBytes } from 'node:crypto';
import { type Dirent, readdirSync, renameSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { isMissing } from '../../os/errno.ts';
import { makeDirectory } from '../../os/files/directories.ts';
import {
  LOOSE,
  NAME_PATTERN,
  projectId,
  type ProjectId,
  serviceId,
  type ServiceId,
} from '../../streams/domain/ids.ts';
import { servicesOf } from '../../streams/kernel/service-table.ts';
import type { SupervisorState } from '../../streams/kernel/state.ts';
import type { Layout } from '../../streams/wire/layout.ts';
import type { Leftover, LeftoverKind, Methods, PurgeQuery } from '../../streams/wire/protocol.ts';

/** The registered projects and services. Their files must stay. */
export interface RegisteredNames {
  readonly projects: ReadonlySet<ProjectId>;
  readonly services: ReadonlySet<ServiceId>;
}

const entriesIn = (directory: string): readonly Dirent[] => {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
};

/** Returns the projects that have a directory in `directory`. Skips the supervisor's own files. */
const projectsIn = (directory: string): readonly ProjectId[] =>
  entriesIn(directory)
    .filter((entry) => entry.isDirectory() && NAME_PATTERN.test(entry.name))
    .map(({ name }) => projectId(name))
    .sort();

interface Place {
  /** The directory with the directories of the projects. */
  readonly root: string;
  readonly directoryOf: (project: ProjectId) => string;
  /** Files of services outside projects. `ownerOf` finds the service in a file's name. */
  readonly looseFiles: string;
  readonly ownerOf: RegExp;
}

const placesIn = (layout: Layout): Readonly<Record<LeftoverKind, Place>> => ({
  logs: {
    root: layout.supervisorLogs,
    directoryOf: layout.logDir,
    looseFiles: layout.logDir(LOOSE),
    ownerOf: /^(.+)\.log(?:\.\d+(?:\.gz(?:\.tmp)?)?)?$/,
  },
  state: {
    root: layout.projects,
    directoryOf: (project) => `${layout.projects}/${project}`,
    looseFiles: layout.runDir(LOOSE),
    ownerOf: /^([^+]+)\+?\.(?:stdout|stderr)$/,
  },
});

/** Returns the leftover files of services outside projects. These services share one directory. */
const looseFilesIn = ({ looseFiles, ownerOf }: Place, { services }: RegisteredNames): readonly string[] =>
  entriesIn(looseFiles)
    .map(({ name }) => name)
    .sort()
    .filter((name) => {
      const owner = ownerOf.exec(name)?.[1];
      return owner !== undefined && !services.has(serviceId(LOOSE, owner));
    })
    .map((name) => `${looseFiles}/${name}`);

const pathsOf = (place: Place, project: ProjectId, registered: RegisteredNames): readonly string[] => {
  if (project === LOOSE) return looseFilesIn(place, registered);
  return registered.projects.has(project) ? [] : [place.directoryOf(project)];
};

/**
 * Returns the leftovers of the projects in the query, or of all projects if the query names none. Names of
 * projects that have no leftovers are ignored.
 */
export const leftoversIn = (
  layout: Layout,
  registered: RegisteredNames,
  { projects, kinds }: PurgeQuery,
): readonly Leftover[] => {
  const places = placesIn(layout);
  return kinds.flatMap((kind) =>
    projectsIn(places[kind].root)
      .filter((project) => projects === undefined || projects.includes(project))
      .flatMap((project) =>
        pathsOf(places[kind], project, registered).map((path): Leftover => ({ project, kind, path })),
      ),
  );
};

/** Deletes all files that were moved aside, including those of an earlier purge that was interrupted. */
export const removeAside = async ({ purged }: Layout): Promise<void> => {
  for (const bin of Object.values(purged)) await rm(bin, { recursive: true, force: true });
};

/** Moves leftovers aside and returns their new paths, synchronously. */
export const setAside = (
  { purged }: Layout,
  leftovers: readonly Leftover[],
): readonly (Leftover & { readonly aside: string })[] => {
  const heap = randomBytes(6).toString('hex');
  return leftovers.map((leftover, place) => {
    const bin = `${purged[leftover.kind]}/${heap}`;
    makeDirectory(bin, 0o700);
    const aside = `${bin}/${place}`;
    renameSync(leftover.path, aside);
    return { ...leftover, aside };
  });
};

const registeredIn = ({ projects, serviceTable }: SupervisorState): RegisteredNames => {
  const specs = servicesOf(serviceTable).map(({ spec }) => spec);
  return {
    projects: new Set([...Object.keys(projects).map(projectId), ...specs.map(({ project }) => project)]),
    services: new Set(specs.map(({ id }) => id)),
  };
};

/** Moves aside the leftovers that the query selects, and returns them. Files of registered projects stay. */
export const purgeIn = (
  layout: Layout,
  state: SupervisorState,
  query: PurgeQuery,
): Methods['purge']['result']['removed'] => setAside(layout, leftoversIn(layout, registeredIn(state), query));
