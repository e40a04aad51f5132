// What the rows of Nomad need to know of a service.
import type { ExportedService } from '../export-format.ts';
import type { KeyRow } from '../key-table.ts';

export interface NomadContext extends ExportedService {
  readonly driver: 'raw_exec' | 'docker';
  readonly type: 'service' | 'batch';
  /** The id of the job. */
  readonly jobId: string;
  /** True if the manifest has this dotted key, or one below it. */
  readonly has: (key: string) => boolean;
}

export type NomadRow = KeyRow<never, NomadContext>;

/** Nomad's interface takes times in nanoseconds. */
export const nanoseconds = (ms: number): number => ms * 1_000_000;

/** Returns megabytes, rounded up. */
export const megabytes = (bytes: number): number => Math.max(1, Math.ceil(bytes / (1024 * 1024)));
