// The two forms of a command line: `Written` is split into words and options, `Parsed` is checked as well.
import type { CommandName } from './command-table.ts';
import type { Flag, Valued } from './option-table.ts';

export interface Written {
  /** The command, and the words after it that are neither options nor values of options. */
  readonly words: readonly string[];
  /** Values by the spelling of the option, for example `json` or `p`. A flag has an empty list. */
  readonly options: ReadonlyMap<string, readonly string[]>;
  /** The words after `--`; absent without `--`. */
  readonly tail?: readonly string[];
}

export interface Parsed {
  readonly command: CommandName;
  readonly flags: ReadonlySet<Flag>;
  /** Values of each given option; the lists are never empty. */
  readonly values: Readonly<Partial<Record<Valued, readonly string[]>>>;
  readonly operands: readonly string[];
  /** The words after `--` on the command line. */
  readonly tail: readonly string[];
}

/** Returns the value of an option that can be given only once; `undefined` if it was not given. */
export const valueOf = ({ values }: Parsed, option: Valued): string | undefined => values[option]?.[0];
