// A command line that was understood.
import type { CommandName } from './commands.ts';
import type { Flag, Valued } from './options.ts';

export interface Parsed {
  readonly command: CommandName;
  readonly flags: ReadonlySet<Flag>;
  /** Values of each given option; never an empty list. */
  readonly values: Readonly<Partial<Record<Valued, readonly string[]>>>;
  /** The words after the command, if it takes any. */
  readonly operands: readonly string[];
  /** The words after `--`. */
  readonly tail: readonly string[];
}

/** Returns the value of an option that is given at most once. */
export const valueOf = ({ values }: Parsed, option: Valued): string | undefined => values[option]?.[0];
