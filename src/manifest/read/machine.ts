// The machine's resources, with which `validate` compares a manifest.
import type { Limit } from '../../streams/domain/declared/spec.ts';

export type LimitedResource = 'nofile' | 'nproc' | 'memlock' | 'core';

/** The machine as this process sees it. */
export interface Machine {
  /** `undefined`: the name service does not answer. */
  readonly knows: (database: 'passwd' | 'group', nameOrNumber: string) => boolean | undefined;
  /** Capabilities that can be passed on, by number. */
  readonly capabilities: readonly number[];
  /** Indices of the CPUs that are online. */
  readonly cpus: readonly number[];
  /** The highest value that can be set. */
  readonly highest: (resource: LimitedResource) => Limit;
  readonly lowestNice: number;
}
