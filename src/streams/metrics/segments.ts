// The files of spilled samples, named by the time of their first sample: which to write, delete and read
// (`docs/metrics.md`, "On disk").
import type { MetricsSpec } from '../domain/declared/manifest.ts';

const NAME = /^samples-(\d{13})\.jsonl$/;

/** Returns the file name. `began` is milliseconds since 1970, in thirteen digits: names sort by time. */
export const segmentName = (began: number): string => `samples-${String(began).padStart(13, '0')}.jsonl`;

/** True for a file of samples; other files in the directory are left alone. */
export const isSegment = (name: string): boolean => NAME.test(name);

/** Returns milliseconds since 1970; 0 for a name that is not ours. */
const beganOf = (name: string): number => Number(NAME.exec(name)?.[1] ?? 0);

export interface Segment {
  readonly name: string;
  readonly bytes: number;
}

interface DiskLimits {
  readonly maxBytes: number;
  readonly segmentBytes: number;
}

const oldestFirst = (segments: readonly Segment[]): readonly Segment[] =>
  segments.toSorted((a, b) => beganOf(a.name) - beganOf(b.name));

interface Plan {
  /** The file to write to; absent if the data is larger than the cap. */
  readonly into?: string;
  readonly remove: readonly string[];
}

const totalOf = (segments: readonly Segment[]): number => segments.reduce((all, { bytes }) => all + bytes, 0);

/** Returns how many of the oldest to remove, so that the rest has at most `most` bytes. */
const excess = (segments: readonly Segment[], most: number): number => {
  let total = totalOf(segments);
  const first = segments.findIndex(({ bytes }) => {
    if (total <= most) return true;
    total -= bytes;
    return false;
  });
  return first === -1 ? segments.length : first;
};

/**
 * Returns where to write `bytes`: the newest file while it has room. The oldest files are removed to make
 * room.
 */
export const planWrite = (
  present: readonly Segment[],
  { bytes, now }: { readonly bytes: number; readonly now: number },
  { maxBytes, segmentBytes }: DiskLimits,
): Plan => {
  if (bytes > maxBytes) return { remove: [] };
  const segments = oldestFirst(present);
  const gone = excess(segments, maxBytes - bytes);
  const remove = segments.slice(0, gone).map(({ name }) => name);
  const newest = segments.at(-1);
  const goesOn = newest !== undefined && gone < segments.length && newest.bytes + bytes <= segmentBytes;
  if (goesOn) return { into: newest.name, remove };
  return { into: segmentName(Math.max(now, newest === undefined ? 0 : beganOf(newest.name) + 1)), remove };
};

/** Returns the files with samples from `since` or later, oldest first. */
export const segmentsSince = (names: readonly string[], since: number): readonly string[] => {
  const ordered = names.filter(isSegment).toSorted((a, b) => beganOf(a) - beganOf(b));
  const first = ordered.findLastIndex((name) => beganOf(name) <= since);
  return ordered.slice(Math.max(0, first));
};

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
