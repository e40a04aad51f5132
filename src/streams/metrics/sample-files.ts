// Decides to which file of samples on disk to append, and which files to delete or read (`docs/metrics.md`,
// "On disk"). Each file is named by the time of its first sample.
import type { MetricsSpec } from '../domain/declared/manifest.ts';

const NAME = /^samples-(\d{13})\.jsonl$/;

/** Returns the name of a file. `began`: ms since 1970, in thirteen digits, so that names sort by time. */
export const segmentName = (began: number): string => `samples-${String(began).padStart(13, '0')}.jsonl`;

/** True for the name of a file of samples. Other files in the directory are not touched. */
export const isSegment = (name: string): boolean => NAME.test(name);

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
  /** The file to append to. Absent if the new data alone is larger than the limit for all files. */
  readonly into?: string;
  readonly remove: readonly string[];
}

const totalOf = (segments: readonly Segment[]): number => segments.reduce((all, { bytes }) => all + bytes, 0);

/** Returns how many of the oldest files must be removed so that the others have at most `most` bytes. */
const excess = (segments: readonly Segment[], most: number): number => {
  let total = totalOf(segments);
  const first = segments.findIndex(({ bytes }) => {
    if (total <= most) return true;
    total -= bytes;
    return false;
  });
  return first === -1 ? segments.length : first;
};

/** Returns the file for `bytes` of data (the newest file if it has room), and the oldest files to remove. */
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

/** Returns the files that can have samples from `since` or later, oldest first. */
export const segmentsSince = (names: readonly string[], since: number): readonly string[] => {
  const ordered = names.filter(isSegment).toSorted((a, b) => beganOf(a) - beganOf(b));
  const first = ordered.findLastIndex((name) => beganOf(name) <= since);
  return ordered.slice(Math.max(0, first));
};

/** The default limit for the size of all files of samples together. */
const MOST_DISK_BYTES = 64 * 1024 * 1024;
/** The default number of files. With this number, the removal of one file frees a sixteenth of the space. */
const FILES = 16;

export interface DiskPlace extends DiskLimits {
  readonly directory: string;
}

/** Returns the directory for samples and its limits; `undefined` if the manifest declares no directory. */
export const diskPlace = ({
  spilloverPath: directory,
  spilloverMaxBytes: maxBytes = MOST_DISK_BYTES,
  spilloverSegmentBytes,
}: MetricsSpec): DiskPlace | undefined => {
  if (directory === undefined) return undefined;
  const segmentBytes = Math.min(maxBytes, spilloverSegmentBytes ?? Math.ceil(maxBytes / FILES));
  return { directory, maxBytes, segmentBytes };
};
