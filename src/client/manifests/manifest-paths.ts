// How a client reads manifests: by which path, with which files and profiles, and with which variables. The
// supervisor knows a manifest by its path at registration. If the file at this path was later replaced by a
// symbolic link, the path still names the registered manifest.
// Rules: `docs/behaviour.md`, "Names and places", "Services".
import { realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { LoadPorts } from '../../manifest/load.ts';
import type { GivenManifest } from '../../manifest/read/reader.ts';
import { findDefaultManifest } from '../../manifest/file-names.ts';
import { peekReadings, peekRegistry } from '../../sources/store/read-saved-state.ts';
import type { Reading } from '../../streams/domain/declared/manifest.ts';
import { failure } from '../../streams/views/errors/command-failure.ts';

/** A data directory, and the facts about this process that are needed to read manifests. */
export interface ReadPlace {
  readonly dataDir: string;
  readonly sys: boolean;
  /** A manifest that does not come from a file. */
  readonly given?: GivenManifest | undefined;
  readonly world: {
    readonly environment: Readonly<Record<string, string>>;
    readonly directory: string;
    readonly uid: number;
  };
}

/** Returns the path with symbolic links resolved. If the file does not exist, returns the absolute path. */
export const resolvedPath = (path: string, directory: string): string => {
  const absolute = resolve(directory, path);
  try {
    return realpathSync(absolute);
  } catch {
    return absolute;
  }
};

/**
 * Returns the path under which the manifest is registered, directly or through a symbolic link. Returns the
 * resolved path if the manifest is not registered.
 */
export const registeredPath = (path: string, { dataDir, world: { directory } }: ReadPlace): string => {
  const [absolute, resolved] = [resolve(directory, path), resolvedPath(path, directory)];
  const registered = peekRegistry(dataDir);
  const literal = [absolute, resolved].find((known) => registered.includes(known));
  return literal ?? registered.find((known) => resolvedPath(known, directory) === resolved) ?? resolved;
};

export interface ManifestArgs {
  /** The path of the manifest that the user gave; `undefined` if none was given. */
  readonly config?: string | undefined;
  /** The working directory, in which a manifest is searched if none was given. */
  readonly directory: string;
}

/** Returns the path of this directory's manifest. Throws ERR0203 if there is none. */
export const manifestHere = (directory: string): string => {
  const path = findDefaultManifest(directory);
  if (path !== undefined) return path;
  const detail = 'there is no sup.yaml or sup.yml here; -c <file> names another';
  throw failure({ code: 'ERR0203', file: join(directory, 'sup.yaml'), detail });
};

/**
 * Returns the path of the manifest that the user named. If none was named, returns the path of this
 * directory's manifest, or throws ERR0203 if there is none.
 */
export const whichManifest = ({ config, directory }: ManifestArgs): string =>
  config === undefined ? manifestHere(directory) : resolve(directory, config);

/**
 * Returns the files and profiles of a manifest: those in `asked`, or the registered ones if `asked` has none.
 */
export const readingOf = (
  manifest: string,
  asked: Reading,
  { dataDir }: Pick<ReadPlace, 'dataDir'>,
): Reading => ({
  ...peekReadings(dataDir)[manifest],
  ...asked,
});

/** Returns the user and environment with which this process itself reads manifests. */
export const loadPorts = ({ world, sys, dataDir, given }: ReadPlace): LoadPorts => ({
  given,
  environment: world.environment,
  uid: world.uid,
  sys,
  readings: peekReadings(dataDir),
});

/**
 * Variables that identify a service. If a process of a service starts a supervisor, the supervisor must not
 * inherit them.
 */
const MARKS: ReadonlySet<string> = new Set([
  'SUP_UNIT',
  'SUP_PROJECT',
  'SUP_SERVICE',
  'SUP_SUPERVISOR',
  'SUP_CHILD',
]);

/** Returns the environment of a supervisor that a process with the given environment starts. */
export const supervisorEnvironment = (
  environment: Readonly<Record<string, string>>,
  dataDir: string,
): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(Object.entries(environment).filter(([name]) => !MARKS.has(name))),
  SUP_DATA_DIR: dataDir,
});
