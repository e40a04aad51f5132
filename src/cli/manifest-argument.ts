// Finds the manifest that a command line means: the named file, or the one in this directory. The supervisor
// knows it by its path at registration; a link that replaced the file since means the same manifest.
import { realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Context } from './context.ts';
import { type Parsed, valueOf } from './grammar/parsed-line.ts';
import { exclusive } from './grammar/usage-error.ts';
import type { LoadPorts } from '../manifest/load.ts';
import { failure } from '../streams/views/errors/command-failure.ts';
import { peekReadings, peekRegistry } from '../sources/store/read-store.ts';
import { findDefaultManifest } from '../manifest/file-names.ts';

/** Returns the path with symbolic links resolved. If the file does not exist, returns the absolute path. */
export const resolvedPath = (path: string, directory: string): string => {
  const absolute = resolve(directory, path);
  try {
    return realpathSync(absolute);
  } catch {
    return absolute;
  }
};

/** Returns the path under which the manifest, or the file it leads to, is registered; else its own path. */
export const registeredPath = (path: string, { dataDir, world: { directory } }: Context): string => {
  const [absolute, resolved] = [resolve(directory, path), resolvedPath(path, directory)];
  const registered = peekRegistry(dataDir);
  const literal = [absolute, resolved].find((known) => registered.includes(known));
  return literal ?? registered.find((known) => resolvedPath(known, directory) === resolved) ?? resolved;
};

/** Where a command prints. `color`: whether colours may be used. */
export interface Output {
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  readonly color: boolean;
}

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

/** Returns the path of the named manifest, or of this directory's. Throws ERR0203 if there is neither. */
export const whichManifest = ({ config, directory }: ManifestArgs): string =>
  config === undefined ? manifestHere(directory) : resolve(directory, config);

/** Returns the output of a command that needs no supervisor. */
export const outputOf = ({ world, colorOn }: Context): Output => ({
  stdout: world.stdout.write,
  stderr: world.stderr.write,
  color: colorOn(world.stdout),
});

/** Returns the manifest that the command line names. Throws ERR0204 if it names two. */
export const manifestArgs = (parsed: Parsed, { world: { directory } }: Context): ManifestArgs => {
  const [named, config] = [parsed.operands[0], valueOf(parsed, 'config')];
  if (named !== undefined && config !== undefined)
    throw exclusive(`"${named}" and -c name two manifests`, 'give one of them');
  return { config: named ?? config, directory };
};

/** Returns the user and environment with which this command itself reads manifests. */
export const loadPorts = ({ world, sys, dataDir }: Context): LoadPorts => ({
  environment: world.environment,
  uid: world.uid,
  sys,
  readings: peekReadings(dataDir),
});
