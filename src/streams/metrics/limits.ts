// What is sampled and kept, as manifests declare it (`docs/metrics.md`). The last manifest that says anything is right.
import type { MetricsSpec, StatusSpec } from '../domain/declared/manifest.ts';
import type { DiskLimits } from './segments.ts';

export const DEFAULT_METRICS: MetricsSpec = {
  retentionMinutes: 720,
  sampleIntervalSecs: 1,
  maxMemoryBytes: 10_485_760,
};
export const DEFAULT_STATUS: StatusSpec = { snapshotMode: 'summary', snapshotIntervalSecs: 5 };

/** Nothing on disk is without bounds. */
const MOST_DISK_BYTES = 64 * 1024 * 1024;
/** When nothing is said a file takes a sixteenth, so that the oldest sixteenth makes room. */
const FILES = 16;

export interface DiskPlace extends DiskLimits {
  readonly directory: string;
}

/** Where samples are spilled to; `undefined`: nowhere. */
export const diskPlace = ({
  spilloverPath: directory,
  spilloverMaxBytes: maxBytes = MOST_DISK_BYTES,
  spilloverSegmentBytes,
}: MetricsSpec): DiskPlace | undefined => {
  if (directory === undefined) return undefined;
  const segmentBytes = Math.min(maxBytes, spilloverSegmentBytes ?? Math.ceil(maxBytes / FILES));
  return { directory, maxBytes, segmentBytes };
};
