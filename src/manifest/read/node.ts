// The assembled manifest before anything is decoded: a tree of values, each with the file and offset it came from.
// `!include`, anchors and merge keys are already gone; two places may share one node.

/** A file that was read. Positions are offsets into `text`. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
  /** The offsets at which lines begin, counted when first asked for. */
  readonly lineStarts: () => readonly number[];
  /** The `!include` that brought this file; absent for the root manifest. */
  readonly from?: Place;
}

export interface Place {
  readonly file: SourceFile;
  readonly offset: number;
}

interface Placed extends Place {
  /** How many nodes this one stands for, itself included: aliases make trees larger than their files. */
  readonly weight: number;
}

export interface ScalarNode extends Placed {
  readonly tag: 'scalar';
  readonly value: string | number | boolean | undefined;
  /** As written, quotes removed: `010` stays `010`. */
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

/** Something that could not be read and was reported; every decoder passes over it in silence. */
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

/** The value under a key of a map; `undefined` where there is none. */
export const childOf = (node: Node, key: string): Entry | undefined =>
  node.tag === 'map' ? node.entries.find((entry) => entry.key === key) : undefined;

export const keysOf = (node: Node | undefined): readonly string[] =>
  node?.tag === 'map' ? node.entries.map(({ key }) => key) : [];
