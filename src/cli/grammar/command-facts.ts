// The facts about a command, and what several commands have in common.
import type { OptionName, Valued } from './option-table.ts';

export interface OperandFacts {
  readonly name: string;
  readonly required?: boolean;
  readonly several?: boolean;
  readonly describe: string;
  /** What to do if it is missing; by default, how to write it. */
  readonly missing?: string;
}

export interface CommandFacts {
  readonly summary: string;
  readonly options: readonly OptionName[];
  /** The words after the command, besides options; if absent, it takes none. */
  readonly operand?: OperandFacts;
  /** Options that this command takes several times, and others only once. */
  readonly repeats?: readonly Valued[];
  /** True if it takes `-- command…`. */
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
  describe: 'The file; sup.yaml or sup.yml of this directory unless given',
} as const satisfies OperandFacts;

/** Options that select registered services. */
export const SELECTING = ['service', 'project', 'config', 'here', 'sys'] as const;
