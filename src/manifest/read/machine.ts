// What a manifest may ask of the machine, and `validate` holds against it.
import type { Limit } from '../../streams/domain/declared/spec.ts';

export type LimitedResource = 'nofile' | 'nproc' | 'memlock' | 'core';

/** As this process sees it. */
export interface Machine {
  /** `undefined`: the name service does not answer. */
  readonly knows: (database: 'passwd' | 'group', nameOrNumber: string) => boolean | undefined;
  /** Capabilities that may be handed on, by number. */
  readonly capabilities: readonly number[];
  /** Indices of the CPUs that are switched on. */
  readonly cpus: readonly number[];
  /** The highest value that may be set. */
  readonly highest: (resource: LimitedResource) => Limit;
  readonly lowestNice: number;
}
