// The assembled manifest before decoding: a tree of values, each with its file and offset. `!include`,
// anchors and merge keys are resolved, so a node may occur at several places. A position in a message has
// line and column from 1, the source line, and the chain of includes (`docs/manifest.md`, "!include").
/** A file of a manifest; places in it are offsets into `text`. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
  /** Returns the offset at which each line begins. The first call computes the offsets. */
  readonly lineStarts: () => readonly number[];
  /** The place of the `!include` that named this file; absent for the root. */
  readonly from?: SourcePlace;
}

export interface SourcePlace {
  readonly file: SourceFile;
  readonly offset: number;
}

interface BaseNode extends SourcePlace {
  /** The number of nodes in this part of the tree. With aliases it can be larger than the file suggests. */
  readonly weight: number;
}

export interface ScalarNode extends BaseNode {
  readonly tag: 'scalar';
  readonly value: string | number | boolean | undefined;
  /** The text of the scalar in the file, without quotes: `010` stays `010`. */
  readonly source: string;
}

interface ListNode extends BaseNode {
  readonly tag: 'list';
  readonly items: readonly Node[];
}

export interface MapEntry {
  readonly key: string;
  readonly keyAt: SourcePlace;
  readonly value: Node;
}

export interface MapNode extends BaseNode {
  readonly tag: 'map';
  readonly entries: readonly MapEntry[];
}

/** A part of the tree that could not be read. The problem is already reported. Decoders skip the part. */
export interface BrokenNode extends BaseNode {
  readonly tag: 'broken';
  /** Present for a `!reset`, which removes the key of an earlier file. */
  readonly reset?: true;
}

export type Node = ScalarNode | ListNode | MapNode | BrokenNode;

const lineStartsOf = (text: string): readonly number[] => {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
};

export const sourceFile = (path: string, text: string, from?: SourcePlace): SourceFile => {
  let starts: readonly number[] | undefined;
  const lineStarts = (): readonly number[] => (starts ??= lineStartsOf(text));
  return { path, text, lineStarts, ...(from === undefined ? {} : { from }) };
};

export const brokenAt = (place: SourcePlace): BrokenNode => ({
  tag: 'broken',
  file: place.file,
  offset: place.offset,
  weight: 1,
});

/** Returns the entry with this key, if the node is a map that has one. */
export const childOf = (node: Node, key: string): MapEntry | undefined =>
  node.tag === 'map' ? node.entries.find((entry) => entry.key === key) : undefined;

export const keysOf = (node: Node | undefined): readonly string[] =>
  node?.tag === 'map' ? node.entries.map(({ key }) => key) : [];

export const below = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);

interface Position {
  readonly line: number;
  readonly column: number;
  /** The text of the line in the file, unless it is too long to show. */
  readonly source?: string;
}

const LONGEST_SHOWN = 400;

const lineIndex = (starts: readonly number[], offset: number): number => {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
};

export const positionOf = ({ file, offset }: SourcePlace): Position => {
  const starts = file.lineStarts();
  const index = lineIndex(starts, offset);
  const start = starts[index] ?? 0;
  const source = file.text.slice(start, starts[index + 1]).replace(/\r?\n$/, '');
  const where = { line: index + 1, column: offset - start + 1 };
  return source.length > LONGEST_SHOWN ? where : { ...where, source };
};

const links = (file: SourceFile): readonly string[] => {
  if (file.from === undefined) return [];
  const { line, column } = positionOf(file.from);
  return [...links(file.from.file), `${file.from.file.path}:${line}:${column}`];
};

/** Returns the chain of includes that leads to a file: `a.yaml:3:9 → b.yaml:1:4 → c.yaml`. */
export const chainOf = (file: SourceFile): string | undefined =>
  file.from === undefined ? undefined : [...links(file), file.path].join(' → ');
