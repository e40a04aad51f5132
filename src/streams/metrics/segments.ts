// The files of spilled samples, named by the time of their first sample: which to write, delete and read.
import { segmentName, isSegment, beganOf } from './segment-name.ts';

export interface Segment {
  readonly name: string;
  readonly bytes: number;
}

export interface DiskLimits {
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
