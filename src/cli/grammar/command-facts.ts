// What there is to know of a command, and what several of them have in common.
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

export const SERVICES = {
  name: 'service',
  several: true,
  describe: 'Names, also project/name, also with * and ?',
} as const satisfies OperandFacts;

export const MANIFEST = {
  name: 'manifest',
  describe: 'The file; sup.yaml or sup.yml of this directory unless given',
} as const satisfies OperandFacts;

/** Which services, of those that are registered. */
export const SELECTING = ['service', 'project', 'config', 'here', 'sys'] as const;
