// The manifest a command is about when no supervisor is asked: `-c`, else the directory's default.
import { resolve } from 'node:path';
import type { LoadPorts } from '../../sources/manifest/load.ts';
import { findDefaultManifest } from '../../sources/manifest/default-manifest.ts';
import type { Context } from '../context.ts';
import type { Parsed } from '../grammar/parsed.ts';

/** Where a command writes. Colour only where somebody looks. */
export interface Output {
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  readonly color: boolean;
}

export interface ManifestArgs {
  /** `-c`, as typed. */
  readonly config?: string | undefined;
  /** The working directory. */
  readonly directory: string;
}

/** The path; `undefined` when there is none, which is then said on standard error: a usage mistake. */
export const whichManifest = ({ config, directory }: ManifestArgs, out: Output): string | undefined => {
  const path = config === undefined ? findDefaultManifest(directory) : resolve(directory, config);
  if (path === undefined)
    out.stderr(
      `no manifest: ${directory} has neither sup.yaml nor sup.yml\n  hint: name one with -c <file>\n`,
    );
  return path;
};

/** Where a command that needs no supervisor writes. */
export const outputOf = ({ world, colorOn }: Context): Output => ({
  stdout: world.stdout.write,
  stderr: world.stderr.write,
  color: colorOn(world.stdout),
});

/** Which manifest the command line names, and from where. */
export const manifestArgs = ({ values: { config } }: Parsed, { world }: Context): ManifestArgs => ({
  config,
  directory: world.directory,
});

/** As whom, and with whose variables, a command reads a manifest by itself. */
export const loadPorts = ({ world, sys }: Context): LoadPorts => ({
  environment: world.environment,
  uid: world.uid,
  sys,
});
