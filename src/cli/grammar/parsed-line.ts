// A command line: as it was written, before it is checked, and as it was understood.
import type { CommandName } from './command-table.ts';
import type { Flag, Valued } from './option-table.ts';

export interface Written {
  /** The command, and the words after it. */
  readonly words: readonly string[];
  /** By the name they were written with: `json`, `p`. A flag has no values. */
  readonly options: ReadonlyMap<string, readonly string[]>;
  /** The words after `--`; absent without `--`. */
  readonly tail?: readonly string[];
}

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
