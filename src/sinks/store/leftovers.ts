// What is left of projects that are not registered any more: their logs, their records and their FIFOs. It is set aside in
// one go, by renaming, while nobody can register anything; whoever asked then removes it at leisure.
import { randomBytes } from 'node:crypto';
import { readdirSync, renameSync, type Dirent } from 'node:fs';
import { rm } from 'node:fs/promises';
import { makeDirectory } from '../../os/files/make-directory.ts';
import { isMissing } from '../../os/errno.ts';
import {
  LOOSE,
  NAME_PATTERN,
  projectId,
  serviceId,
  type ProjectId,
  type ServiceId,
} from '../../streams/domain/ids.ts';
import type { Layout } from '../../streams/wire/layout.ts';
import type { Leftover, LeftoverKind, PurgeQuery } from '../../streams/wire/protocol.ts';

/** Who is registered: nothing of them is left over. */
export interface Registered {
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

/** Beside the directories of projects there are files of the supervisor. */
const projectsIn = (directory: string): readonly ProjectId[] =>
  entriesIn(directory)
    .filter((entry) => entry.isDirectory() && NAME_PATTERN.test(entry.name))
    .map(({ name }) => projectId(name))
    .sort();

interface Place {
  /** Below which each project has a directory. */
  readonly root: string;
  readonly directoryOf: (project: ProjectId) => string;
  /** Where each loose service has files of its own, and whose file one is. */
  readonly looseFiles: string;
  readonly ownerOf: RegExp;
}

const placesIn = (layout: Layout): Readonly<Record<LeftoverKind, Place>> => ({
  logs: {
    root: layout.supervisorLogs,
    directoryOf: layout.logDir,
    looseFiles: layout.logDir(LOOSE),
    ownerOf: /^(.+)\.log(?:\.\d+)?$/,
  },
  state: {
    root: layout.projects,
    directoryOf: (project) => `${layout.projects}/${project}`,
    looseFiles: layout.runDir(LOOSE),
    ownerOf: /^([^+]+)\+?\.(?:stdout|stderr)$/,
  },
});

/** The loose bundle is nobody's project: what is left of it is left of single services. */
const looseFilesIn = ({ looseFiles, ownerOf }: Place, { services }: Registered): readonly string[] =>
  entriesIn(looseFiles)
    .map(({ name }) => name)
    .sort()
    .filter((name) => {
      const owner = ownerOf.exec(name)?.[1];
      return owner !== undefined && !services.has(serviceId(LOOSE, owner));
    })
    .map((name) => `${looseFiles}/${name}`);

const pathsOf = (place: Place, project: ProjectId, registered: Registered): readonly string[] => {
  if (project === LOOSE) return looseFilesIn(place, registered);
  return registered.projects.has(project) ? [] : [place.directoryOf(project)];
};

/** What is left, of these projects or of all. Names that no project can have are somebody else's. */
export const leftoversIn = (
  layout: Layout,
  registered: Registered,
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

/** All that was set aside, also by somebody who was cut off then. */
export const removeAside = async ({ purged }: Layout): Promise<void> => {
  for (const bin of Object.values(purged)) await rm(bin, { recursive: true, force: true });
};

/** Puts it where nobody looks, each with where it is now. Synchronous: nobody comes in between. */
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
