// The manifest that a command line means: the named file, otherwise the one of this directory. The
// supervisor knows a manifest by the path that was resolved at registration. A link may have replaced it
// since: its old and new paths mean the same manifest.
import { realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Context } from './context.ts';
import { type Parsed, valueOf } from './grammar/parsed-line.ts';
import { exclusive } from './grammar/usage-error.ts';
import type { LoadPorts } from '../manifest/load.ts';
import { failure } from '../streams/views/errors/command-failure.ts';
import { peekRegistry } from '../sources/store/read-store.ts';
import { findDefaultManifest } from '../manifest/file-names.ts';

/** Resolves links. A file that is gone keeps its plain path. */
export const resolvedPath = (path: string, directory: string): string => {
  const absolute = resolve(directory, path);
  try {
    return realpathSync(absolute);
  } catch {
    return absolute;
  }
};

/** A literally registered path first, then one that leads to the same file; otherwise the resolved path. */
export const registeredPath = (path: string, { dataDir, world: { directory } }: Context): string => {
  const [absolute, resolved] = [resolve(directory, path), resolvedPath(path, directory)];
  const registered = peekRegistry(dataDir);
  const literal = [absolute, resolved].find((known) => registered.includes(known));
  return literal ?? registered.find((known) => resolvedPath(known, directory) === resolved) ?? resolved;
};

/** Where a command writes. `color` is for terminals. */
export interface Output {
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  readonly color: boolean;
}

export interface ManifestArgs {
  /** The typed path. */
  readonly config?: string | undefined;
  /** The working directory. */
  readonly directory: string;
}

/** The manifest of this directory. Throws ERR0203 if there is none. */
export const manifestHere = (directory: string): string => {
  const path = findDefaultManifest(directory);
  if (path !== undefined) return path;
  const detail = 'there is no sup.yaml or sup.yml here; -c <file> names another';
  throw failure({ code: 'ERR0203', file: join(directory, 'sup.yaml'), detail });
};

/** Its path. Throws ERR0203 if none is named and none is here. */
export const whichManifest = ({ config, directory }: ManifestArgs): string =>
  config === undefined ? manifestHere(directory) : resolve(directory, config);

/** Where a command that needs no supervisor writes. */
export const outputOf = ({ world, colorOn }: Context): Output => ({
  stdout: world.stdout.write,
  stderr: world.stderr.write,
  color: colorOn(world.stdout),
});

/** The manifest that the command line names. Throws ERR0204 if it names two. */
export const manifestArgs = (parsed: Parsed, { world: { directory } }: Context): ManifestArgs => {
  const [named, config] = [parsed.operands[0], valueOf(parsed, 'config')];
  if (named !== undefined && config !== undefined)
    throw exclusive(`"${named}" and -c name two manifests`, 'give one of them');
  return { config: named ?? config, directory };
};

/** User and variables with which a command itself reads a manifest. */
export const loadPorts = ({ world, sys }: Context): LoadPorts => ({
  environment: world.environment,
  uid: world.uid,
  sys,
});
