// The manifest a command is about when no supervisor is asked: the one named, else the directory's default.
import { join, resolve } from 'node:path';
import type { LoadPorts } from '../../manifest/load.ts';
import { findDefaultManifest } from '../../manifest/default-manifest.ts';
import type { Context } from '../context.ts';
import { failure } from '../../streams/views/errors/failure.ts';
import { exclusive } from '../grammar/usage.ts';
import { valueOf, type Parsed } from '../grammar/parsed.ts';

/** Where a command writes. Colour only where somebody looks. */
export interface Output {
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  readonly color: boolean;
}

export interface ManifestArgs {
  /** As typed. */
  readonly config?: string | undefined;
  /** The working directory. */
  readonly directory: string;
}

/** The manifest of this directory. Throws ERR0203 when there is none. */
export const manifestHere = (directory: string): string => {
  const path = findDefaultManifest(directory);
  if (path !== undefined) return path;
  const detail = 'there is no sup.yaml or sup.yml here; -c <file> names another';
  throw failure({ code: 'ERR0203', file: join(directory, 'sup.yaml'), detail });
};

/** Its path. Throws ERR0203 when none was named and there is none here. */
export const whichManifest = ({ config, directory }: ManifestArgs): string =>
  config === undefined ? manifestHere(directory) : resolve(directory, config);

/** Where a command that needs no supervisor writes. */
export const outputOf = ({ world, colorOn }: Context): Output => ({
  stdout: world.stdout.write,
  stderr: world.stderr.write,
  color: colorOn(world.stdout),
});

/** Which manifest the command line names, and from where. Throws ERR0204 when it names two. */
export const manifestArgs = (parsed: Parsed, { world: { directory } }: Context): ManifestArgs => {
  const [named, config] = [parsed.operands[0], valueOf(parsed, 'config')];
  if (named !== undefined && config !== undefined)
    throw exclusive(`"${named}" and -c name two manifests`, 'give one of them');
  return { config: named ?? config, directory };
};

/** As whom, and with whose variables, a command reads a manifest by itself. */
export const loadPorts = ({ world, sys }: Context): LoadPorts => ({
  environment: world.environment,
  uid: world.uid,
  sys,
});
