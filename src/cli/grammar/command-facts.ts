// What is said of each command: see `commands.ts`.
import type { OptionName, Valued } from './options.ts';

export interface OperandFacts {
  readonly name: string;
  readonly required?: boolean;
  readonly several?: boolean;
  readonly describe: string;
  /** What to do when it is missing; how to write it unless given. */
  readonly missing?: string;
}

export interface CommandFacts {
  readonly summary: string;
  readonly options: readonly OptionName[];
  /** What stands behind the command, beside options; a command without takes none. */
  readonly operand?: OperandFacts;
  /** Options that it takes several times, and others only once. */
  readonly repeats?: readonly Valued[];
  /** Takes `-- command…`. */
  readonly tail?: boolean;
  readonly examples: readonly (readonly [line: string, meaning: string])[];
}
