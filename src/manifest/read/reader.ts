// The user that reads a manifest, and the machine that `validate` compares it with.
import type { FileReader } from '../../os/files/trusted-file.ts';
import type { Limit } from '../../streams/domain/declared/spec.ts';

export type LimitedResource = 'nofile' | 'nproc' | 'memlock' | 'core' | 'stack' | 'fsize';

/** Facts about this machine, as this process sees them. */
export interface Machine {
  /** True if the account or group exists; `undefined` if the name service does not answer. */
  readonly knows: (database: 'passwd' | 'group', nameOrNumber: string) => boolean | undefined;
  /** The numbers of the capabilities that services can get. */
  readonly capabilities: readonly number[];
  /** The numbers of the CPUs that are online. */
  readonly cpus: readonly number[];
  /** Returns the highest value that this resource limit can be set to. */
  readonly highest: (resource: LimitedResource) => Limit;
  readonly lowestNice: number;
  /** The lowest `oom_score_adj` that a service can get. */
  readonly lowestOomScore: number;
}

/**
 * A manifest that is in no file, such as standard input. Its relative paths are relative to the directory of
 * `path`.
 */
export interface GivenManifest {
  readonly path: string;
  readonly bytes: Uint8Array;
}

export interface Reader extends FileReader {
  /**
   * True if another user's supervisor with `--sys` runs the services. Keys that need `--sys` then have an
   * effect.
   */
  readonly isForPrivileged?: boolean;
  /** The content that is read instead of the file at its path. */
  readonly given?: GivenManifest | undefined;
  /** Facts about this machine; if present, the manifest is compared with them. */
  readonly machine?: Machine;
  /** Returns why the C library cannot be called, if it cannot. The first call opens the library. */
  readonly absence?: () => string | undefined;
}

/** True if keys that need `--sys` have an effect. */
export const isPrivileged = ({ sys, isForPrivileged = false }: Reader): boolean => sys || isForPrivileged;
