// A command line that was understood.
import type { CommandName } from './commands.ts';
import type { Flag, Valued } from './options.ts';

export interface Parsed {
  readonly command: CommandName;
  readonly flags: ReadonlySet<Flag>;
  /** Never empty where there are any. */
  readonly values: Readonly<Partial<Record<Valued, readonly string[]>>>;
  /** The words behind the command, where it takes any. */
  readonly operands: readonly string[];
  /** What stands behind `--`. */
  readonly tail: readonly string[];
}

/** The value of an option that is given once at the most. */
export const valueOf = ({ values }: Parsed, option: Valued): string | undefined => values[option]?.[0];
