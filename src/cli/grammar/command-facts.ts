// Types for the facts about a command, and constants that several commands share.
import type { OptionName, Valued } from './option-table.ts';

export interface OperandFacts {
  readonly name: string;
  readonly required?: boolean;
  readonly several?: boolean;
  readonly describe: string;
  /** The hint of the error about a missing operand; by default the usage of the command. */
  readonly missing?: string;
}

export interface CommandFacts {
  readonly summary: string;
  readonly options: readonly OptionName[];
  /** The words after the command, besides options; absent if the command takes none. */
  readonly operand?: OperandFacts;
  /** Options that this command accepts several times, although other commands accept them once. */
  readonly repeats?: readonly Valued[];
  /** True if the command accepts `-- command…`. */
  readonly tail?: boolean;
  readonly examples: readonly (readonly [line: string, meaning: string])[];
}

export const SERVICES = {
  name: 'service',
  several: true,
  describe: 'Names, also project/name, also with * and ?',
} as const satisfies OperandFacts;

export const MANIFEST = {
  name: 'manifest',
  describe: 'The file, - for standard input; sup.yaml or sup.yml of this directory unless given',
} as const satisfies OperandFacts;

export const SELECTING = ['service', 'project', 'config', 'here', 'sys'] as const;
