// Where samples are spilled to, as manifests declare it (`docs/metrics.md`).
import type { MetricsSpec } from '../domain/declared/manifest.ts';
import type { DiskLimits } from './segments.ts';

/** The default cap on disk space, bytes. */
const MOST_DISK_BYTES = 64 * 1024 * 1024;
/** By default a file takes a sixteenth of the cap, so that the oldest sixteenth makes room. */
const FILES = 16;

export interface DiskPlace extends DiskLimits {
  readonly directory: string;
}

/** Returns the directory for spilled samples and its limits; `undefined` if none is declared. */
export const diskPlace = ({
  spilloverPath: directory,
  spilloverMaxBytes: maxBytes = MOST_DISK_BYTES,
  spilloverSegmentBytes,
}: MetricsSpec): DiskPlace | undefined => {
  if (directory === undefined) return undefined;
  const segmentBytes = Math.min(maxBytes, spilloverSegmentBytes ?? Math.ceil(maxBytes / FILES));
  return { directory, maxBytes, segmentBytes };
};
