// A command line that was understood.
import type { CommandName } from './commands.ts';
import type { Flag, Valued } from './options.ts';

export interface Parsed {
  readonly command: CommandName;
  readonly flags: ReadonlySet<Flag>;
  readonly values: Readonly<Partial<Record<Valued, string>>>;
  /** The word behind the command, where it takes one. */
  readonly operand?: string;
  /** What stands behind `--`. */
  readonly tail: readonly string[];
}
