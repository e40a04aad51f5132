// The manifest that a command line names, and where a command without supervisor prints.
import type { Context } from './context.ts';
import { type Parsed, valueOf } from './grammar/parsed-line.ts';
import { exclusive } from './grammar/usage-error.ts';
import type { ManifestArgs } from '../client/manifests/manifest-paths.ts';

/** Where a command prints. `color`: whether colours may be used. */
export interface Output {
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  readonly color: boolean;
}

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
