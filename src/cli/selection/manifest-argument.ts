// The manifest for a command that needs no supervisor: the named one, otherwise this directory's.
import { join, resolve } from 'node:path';
import type { LoadPorts } from '../../manifest/load.ts';
import { findDefaultManifest } from '../../manifest/file-names.ts';
import type { Context } from '../context.ts';
import { failure } from '../../streams/views/errors/failure.ts';
import { exclusive } from '../grammar/usage.ts';
import { valueOf, type Parsed } from '../grammar/parsed.ts';

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
