// The assembled manifest before decoding: a tree of values, each with its file and offset. `!include`,
// anchors and merge keys are resolved; two places may share one node.

/** A file that was read. Positions are offsets into `text`. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
  /** The offsets at which lines begin, computed at the first call. */
  readonly lineStarts: () => readonly number[];
  /** The `!include` that named this file; absent for the root manifest. */
  readonly from?: Place;
}

export interface Place {
  readonly file: SourceFile;
  readonly offset: number;
}

interface Placed extends Place {
  /** Number of nodes, including itself: aliases make trees larger than their files. */
  readonly weight: number;
}

export interface ScalarNode extends Placed {
  readonly tag: 'scalar';
  readonly value: string | number | boolean | undefined;
  /** The text as written, without quotes: `010` stays `010`. */
  readonly source: string;
}

interface ListNode extends Placed {
  readonly tag: 'list';
  readonly items: readonly Node[];
}

export interface Entry {
  readonly key: string;
  readonly keyAt: Place;
  readonly value: Node;
}

interface MapNode extends Placed {
  readonly tag: 'map';
  readonly entries: readonly Entry[];
}

/** A part that could not be read and was reported; every decoder skips it silently. */
export interface BrokenNode extends Placed {
  readonly tag: 'broken';
}

export type Node = ScalarNode | ListNode | MapNode | BrokenNode;

const lineStartsOf = (text: string): readonly number[] => {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
};

export const sourceFile = (path: string, text: string, from?: Place): SourceFile => {
  let starts: readonly number[] | undefined;
  const lineStarts = (): readonly number[] => (starts ??= lineStartsOf(text));
  return { path, text, lineStarts, ...(from === undefined ? {} : { from }) };
};

export const brokenAt = (place: Place): BrokenNode => ({
  tag: 'broken',
  file: place.file,
  offset: place.offset,
  weight: 1,
});

/** The entry of a key in a map; `undefined` if there is none. */
export const childOf = (node: Node, key: string): Entry | undefined =>
  node.tag === 'map' ? node.entries.find((entry) => entry.key === key) : undefined;

export const keysOf = (node: Node | undefined): readonly string[] =>
  node?.tag === 'map' ? node.entries.map(({ key }) => key) : [];
