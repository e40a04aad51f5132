// The context that the rows of the Nomad table get for a service.
import type { ExportedService } from '../export-format.ts';
import type { KeyRow } from '../key-table.ts';

export interface NomadContext extends ExportedService {
  readonly driver: 'raw_exec' | 'docker';
  readonly type: 'service' | 'batch';
  /** The id of the job. */
  readonly jobId: string;
  /** True if the manifest has this dotted key, or a key below it, for the service. */
  readonly has: (key: string) => boolean;
}

export type NomadRow = KeyRow<never, NomadContext>;

/** Returns a time for Nomad's API, in nanoseconds. */
export const nanoseconds = (ms: number): number => ms * 1_000_000;

/** Returns a number of bytes in MiB, rounded up, at least 1. */
export const megabytes = (bytes: number): number => Math.max(1, Math.ceil(bytes / (1024 * 1024)));
