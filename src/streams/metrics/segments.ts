// The files that samples are spilled into, named by the moment of their first: which to write, which to delete, which to
// read.
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
  /** The file that the bytes go into; absent where they are more than there may be at all. */
  readonly into?: string;
  readonly remove: readonly string[];
}

const totalOf = (segments: readonly Segment[]): number => segments.reduce((all, { bytes }) => all + bytes, 0);

/** So many of the oldest that the rest has at the most so many bytes. */
const excess = (segments: readonly Segment[], most: number): number => {
  let total = totalOf(segments);
  const first = segments.findIndex(({ bytes }) => {
    if (total <= most) return true;
    total -= bytes;
    return false;
  });
  return first === -1 ? segments.length : first;
};

/** Where so many bytes go: into the newest file while it has room. The oldest files make room for them. */
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

/** Files that may tell of that time or later, oldest first. */
export const segmentsSince = (names: readonly string[], since: number): readonly string[] => {
  const ordered = names.filter(isSegment).toSorted((a, b) => beganOf(a) - beganOf(b));
  const first = ordered.findLastIndex((name) => beganOf(name) <= since);
  return ordered.slice(Math.max(0, first));
};
