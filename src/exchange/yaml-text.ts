// Writes translated entries as YAML with comments.
import { Document, isMap, isScalar, type Node, Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml';
import type { Entry, Plain } from './key-table.ts';

/** The most characters, as JSON, of a list or map that is written in one line. */
const LONGEST_IN_LINE = 90;

const WIDEST_COMMENT = 110;

/** Returns a comment for the YAML library, which adds `#` to each line. Long lines are wrapped. */
const commentText = (comments: readonly string[]): string =>
  comments
    .flatMap((comment) => comment.split('\n'))
    .flatMap((line) => {
      const lines: string[] = [];
      let rest = line.replaceAll(/[^\t\x20-\x7e\xa0-\uffff]/g, '?');
      while (rest.length > WIDEST_COMMENT && rest.lastIndexOf(' ', WIDEST_COMMENT) > 0) {
        const end = rest.lastIndexOf(' ', WIDEST_COMMENT);
        lines.push(rest.slice(0, end));
        rest = rest.slice(end + 1);
      }
      return [...lines, rest];
    })
    .map((line) => ` ${line}`)
    .join('\n');

const isShort = (value: Plain): boolean => JSON.stringify(value).length <= LONGEST_IN_LINE;

const hasOnlyScalars = (value: Plain): boolean =>
  typeof value === 'object' && value !== null
    ? Object.values(value).every((each) => typeof each !== 'object' || each === null)
    : true;

/** Returns the node of a value. A short list or map is written in one line: `[a, b]`, `{ a: b }`. */
const nodeOf = (document: Document, value: Plain): Node => {
  const node: Node = document.createNode(value);
  if (!(node instanceof YAMLSeq || isMap(node)) || !isShort(value) || !hasOnlyScalars(value)) return node;
  node.flow = true;
  if (!(node instanceof YAMLSeq)) return node;
  // The library has one option for the padding of lists and maps. Lists are written without padding.
  const write = node.toString.bind(node);
  node.toString = (context, ...others) =>
    write(context && { ...context, flowCollectionPadding: '' }, ...others);
  return node;
};

/** A path in a document. A number is an index of a list. */
type YamlPath = readonly (string | number)[];

/** Returns the map at this path. Makes it, and the maps and lists above it, if they do not exist. */
const mapAt = (document: Document, root: YAMLMap, path: YamlPath): YAMLMap => {
  let node: YAMLMap | YAMLSeq = root;
  for (const [depth, segment] of path.entries()) {
    const found: unknown = node.get(segment);
    const made =
      typeof path[depth + 1] === 'number' ? new YAMLSeq(document.schema) : new YAMLMap(document.schema);
    const isThere = found instanceof YAMLMap || found instanceof YAMLSeq;
    if (!isThere) node.set(typeof segment === 'string' ? new Scalar(segment) : segment, made);
    node = isThere ? found : made;
  }
  if (node instanceof YAMLMap) return node;
  throw new Error(`${path.join('.')} is a list`);
};

const withComment = (node: Node, text: string): void => {
  node.commentBefore = [node.commentBefore, text].filter((each) => each != null).join('\n');
};

/** Adds a comment after the last key of a map. */
const addAtEnd = (map: YAMLMap, text: string): void => {
  map.comment = [map.comment, text].filter((each) => each != null).join('\n');
};

const keyIn = (map: YAMLMap, key: string | number): Scalar | undefined =>
  map.items.map((pair) => pair.key).find((each): each is Scalar => isScalar(each) && each.value === key);

/**
 * Writes an entry. Returns the outermost key that was added. The comments of the entry belong above this key.
 */
const writeEntry = (document: Document, root: YAMLMap, { path, value }: YamlEntry): Scalar | undefined => {
  const parents = path.slice(0, -1);
  const known = parents.findIndex((_, depth) => !root.hasIn(path.slice(0, depth + 1)));
  const outermost = known === -1 ? parents.length : known;
  const map = mapAt(document, root, parents);
  map.items.push(new Pair(new Scalar(path.at(-1)), nodeOf(document, value)));
  return keyIn(mapAt(document, root, path.slice(0, outermost)), path[outermost] ?? '');
};

/** An entry with a path that may lead into lists. */
export type YamlEntry = Omit<Entry, 'path'> & { readonly path: YamlPath };

export interface YamlPart {
  /** The path of the map for the entries: `['services', 'web']`; empty for the top level. */
  readonly under: YamlPath;
  readonly entries: readonly YamlEntry[];
  /** Comments above the key of the part. */
  readonly comments?: readonly string[];
}

/**
 * Writes the entries of a part. Comments without a key are written above the next key, or at the end of the
 * map.
 */
const writeEntries = (document: Document, map: YAMLMap, entries: readonly YamlEntry[]): void => {
  let waiting: string[] = [];
  for (const entry of entries) {
    waiting.push(...entry.comments);
    if (entry.path.length === 0) continue;
    const key = writeEntry(document, map, entry);
    if (waiting.length > 0 && key !== undefined) withComment(key, commentText(waiting));
    waiting = [];
  }
  if (waiting.length > 0) addAtEnd(map, commentText(waiting));
};

const writePart = (document: Document, root: YAMLMap, { under, entries, comments = [] }: YamlPart): void => {
  const map = mapAt(document, root, under);
  const parent = mapAt(document, root, under.slice(0, -1));
  const key = comments.length > 0 ? keyIn(parent, under.at(-1) ?? '') : undefined;
  if (key !== undefined) withComment(key, commentText(comments));
  writeEntries(document, map, entries);
};

/**
 * Returns one YAML document. A text such as `no` is in quotes, because YAML 1.1 reads it as false. `header`:
 * comments at the beginning.
 */
export const yamlText = (header: readonly string[], parts: readonly YamlPart[]): string => {
  const document = new Document({}, { compat: 'yaml-1.1' });
  const root = new YAMLMap(document.schema);
  document.contents = root;
  if (header.length > 0) document.commentBefore = commentText(header);
  for (const part of parts) writePart(document, root, part);
  return document.toString({ lineWidth: 0, flowCollectionPadding: true });
};
