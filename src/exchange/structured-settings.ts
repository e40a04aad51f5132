// Reads YAML and JSON files of other programs with the limits that manifests have: on tokens, depth, control
// characters, and values after aliases are expanded. The result is a tree in which each value has its line.
// The maps of the tree become settings with dotted keys.
import { type Document, visit } from 'yaml';
import { assembleFrom } from '../manifest/read/assemble.ts';
import { KNOWN_TAGS } from '../manifest/read/map-entries.ts';
import { startBudget } from '../manifest/read/manifest-files.ts';
import {
  below,
  type MapEntry,
  type Node as TreeNode,
  positionOf,
  sourceFile,
  type SourcePlace,
} from '../manifest/read/node.ts';
import { parseYaml } from '../manifest/read/parse.ts';
import { startReport } from '../manifest/check/problem-report.ts';
import { failure } from '../streams/views/errors/command-failure.ts';
import {
  type KeyRow,
  type Loss,
  NOT_KNOWN,
  ownValue,
  type Plain,
  type Setting,
  type SourceLine,
} from './key-table.ts';
import type { SourceText } from './source-texts.ts';

interface ReadOptions {
  /** The name for a file of this format in sentences: `a Compose file`. */
  readonly title: string;
  /**
   * Tags that the format has besides those of YAML. A value with `!reset` becomes a node of the kind
   * `broken`.
   */
  readonly tags?: readonly string[];
}

interface StructuredFile {
  readonly root: TreeNode;
  /** Returns the tag of a value if the format has this tag; `undefined` for other values. */
  readonly tagOf: (node: TreeNode) => string | undefined;
}

/** Returns the file and the line of a value or key. */
export const sourceLine = (place: SourcePlace): SourceLine => ({
  file: place.file.path,
  line: positionOf(place).line,
});

type Refuse = (offset: number, detail: string) => never;

/**
 * Returns the tags of the format by the offsets of their values, and removes them from the document. Calls
 * `refuse` for an unknown tag.
 */
const takeTags = (
  document: Document.Parsed,
  known: readonly string[],
  refuse: Refuse,
): ReadonlyMap<number, string> => {
  const tags = new Map<number, string>();
  visit(document, {
    Node: (_, node) => {
      const { range, tag } = node as { range?: readonly number[] | null; tag?: string };
      if (tag === undefined || KNOWN_TAGS.includes(tag)) return;
      const offset = range?.[0] ?? 0;
      if (!known.includes(tag)) refuse(offset, `the tag ${tag} is not known`);
      tags.set(offset, tag);
      // `!reset` stays in the document, because the code that makes the tree of a manifest handles it.
      if (tag !== '!reset') delete (node as { tag?: string }).tag;
    },
  });
  return tags;
};

/** Returns the syntax tree of a file; `undefined` for an empty file. */
const documentOf = (text: string, refuse: Refuse): Document.Parsed | undefined => {
  const parsed = parseYaml(text);
  if (parsed.tag === 'parsed') return parsed.document;
  const [fault] = parsed.faults;
  return refuse(fault?.offset ?? 0, fault?.message ?? 'it cannot be read');
};

/** Returns the tree of a file. Throws ERR0802 with the line of the first fault. */
export const readStructured = (
  { path, text }: SourceText,
  { title: format, tags: known = [] }: ReadOptions,
): StructuredFile => {
  const file = sourceFile(path, text);
  const refuse: Refuse = (offset, detail) => {
    throw failure({ code: 'ERR0802', file: path, format, line: positionOf({ file, offset }).line, detail });
  };
  const document = documentOf(text, refuse);
  const tags: ReadonlyMap<number, string> = document ? takeTags(document, known, refuse) : new Map();
  const report = startReport();
  // In the first file of a manifest (layer 0), `!reset` is refused. Here each file is read as layer 1,
  // because the format decides which file overrides others.
  const budget = { ...startBudget({ uid: 0, sys: false }, report), layer: 1 };
  const root = assembleFrom(document?.contents, { file, identity: path }, { budget, path: '' });
  const [problem] = report.problems();
  if (problem !== undefined)
    throw failure({
      code: 'ERR0802',
      file: path,
      format,
      line: problem.line ?? 1,
      detail: problem.message.replace('the manifest', 'the file'),
    });
  return { root, tagOf: (node) => (node.file === file ? tags.get(node.offset) : undefined) };
};

/** Returns a loss for each unknown key of the top level. `messages`: the reasons for some keys. */
export const unknownKeys = (
  root: TreeNode,
  known: readonly string[],
  messages: Readonly<Record<string, string>> = {},
): readonly Loss[] =>
  (root.tag === 'map' ? root.entries : [])
    .filter(({ key }) => !known.includes(key) && !key.startsWith('x-'))
    .map(({ key, keyAt }) => ({
      ...{ effect: 'lost' as const, key, place: sourceLine(keyAt) },
      message: ownValue(messages, key) ?? NOT_KNOWN,
    }));

/** Returns the value of a node without places in the file. */
export const plainOf = (node: TreeNode): Plain => {
  switch (node.tag) {
    case 'scalar':
      return node.value ?? null;
    case 'list':
      return node.items.map(plainOf);
    case 'map':
      return Object.fromEntries(node.entries.map(({ key, value }) => [key, plainOf(value)]));
    case 'broken':
      return null;
  }
};

/**
 * Returns the tree in which each text is replaced by the result of `turn`. `path`: the dotted key of the
 * text. The items of a list have the key of the list.
 */
export const withTexts = (
  node: TreeNode,
  turn: (text: string, node: TreeNode, path: string) => string,
  path = '',
): TreeNode => {
  switch (node.tag) {
    case 'scalar':
      return typeof node.value === 'string' ? { ...node, value: turn(node.value, node, path) } : node;
    case 'list':
      return { ...node, items: node.items.map((item) => withTexts(item, turn, path)) };
    case 'map':
      return {
        ...node,
        entries: node.entries.map((entry) => ({
          ...entry,
          value: withTexts(entry.value, turn, below(path, entry.key)),
        })),
      };
    case 'broken':
      return node;
  }
};

const isAbove = (path: string, rows: readonly KeyRow<never, never>[]): boolean =>
  rows.some(({ theirs, also = [] }) => [theirs, ...also].some((key) => key.startsWith(`${path}.`)));

/**
 * Returns the settings in a map. The keys of nested maps are joined: `healthcheck.interval`. A nested map is
 * one value unless a row has a key below it.
 */
export const settingsBelow = (
  node: TreeNode,
  rows: readonly KeyRow<never, never>[],
  path = '',
): readonly Setting[] => {
  const settingsOf = ({ key: own, keyAt, value }: MapEntry): readonly Setting[] => {
    const key = below(path, own);
    return value.tag === 'map' && isAbove(key, rows)
      ? settingsBelow(value, rows, key)
      : [{ key, value: plainOf(value), place: sourceLine(keyAt) }];
  };
  return node.tag === 'map' ? node.entries.flatMap(settingsOf) : [];
};
