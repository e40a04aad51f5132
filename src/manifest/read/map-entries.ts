// Builds the entries of a map: keys as text, no duplicates, merge keys (`<<`) expanded. Also builds scalars
// and reports faults.
import { isAlias, isCollection, isScalar, type Scalar, type YAMLMap } from 'yaml';
import { type Mistake, quoted } from '../check/problem-report.ts';
import type { Budget, Opened } from './manifest-files.ts';
import {
  below,
  brokenAt,
  type BrokenNode,
  type MapEntry,
  type Node,
  type SourcePlace,
  type ScalarNode,
} from './node.ts';

export const scalarNode = (scalar: Scalar, place: SourcePlace): ScalarNode => {
  const { value, source } = scalar;
  const known = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  const text = source ?? (known ? String(value) : '');
  const kept = known ? value : value === null || value === undefined ? undefined : text;
  return { tag: 'scalar', ...place, weight: 1, value: kept, source: text };
};

/** The most nodes of the assembled tree. Each alias or merge key adds the nodes that it refers to again. */
export const MOST_NODES = 200_000;

/** YAML's own tags, which only repeat the type of a value. */
export const KNOWN_TAGS: readonly string[] = ['str', 'int', 'float', 'bool', 'null', 'map', 'seq'].map(
  (name) => `tag:yaml.org,2002:${name}`,
);

export interface Assembly {
  readonly opened: Opened;
  readonly budget: Budget;
  /** The nodes of this file that have an anchor and are complete, by the name of the anchor. */
  readonly anchors: Map<string, Node>;
}

/** An offset in the current file, and the dotted path there. */
export interface Here {
  readonly offset: number;
  readonly path: string;
}

export const placeIn = (assembly: Assembly, offset: number): SourcePlace => ({
  file: assembly.opened.file,
  offset,
});

/** Reports a problem and returns a broken node, which later steps skip. */
export const fault = (assembly: Assembly, { offset, path }: Here, finding: Mistake): BrokenNode => {
  const place = placeIn(assembly, offset);
  assembly.budget.report.add({ path, place }, finding);
  return brokenAt(place);
};

interface Growing {
  readonly assembly: Assembly;
  readonly grow: (assembly: Assembly, node: unknown, near: Here) => Node;
}

const MERGE = '<<';

interface Key {
  readonly name: string;
  readonly offset: number;
  readonly merges: boolean;
  readonly tag: string | undefined;
  readonly scalar: Scalar;
}

/** Returns the key as text; `undefined` for a map, list or null. */
const keyOf = (key: unknown): Key | undefined => {
  if (!isScalar(key) || key.value === null) return undefined;
  const name = typeof key.value === 'string' ? key.value : (key.source ?? '');
  const merges = name === MERGE && key.type === 'PLAIN';
  return { name, offset: key.range?.[0] ?? 0, merges, tag: key.tag, scalar: key };
};

/** Returns the maps that a merge key (`<<`) refers to: one, or a list of them. */
const mergedMaps = (value: Node): readonly Node[] => (value.tag === 'list' ? value.items : [value]);

/**
 * Returns the entries of a merged map. The entries count against a limit, because a short text can merge very
 * many of them.
 */
const brought = (assembly: Assembly, value: Node, here: Here): readonly MapEntry[] => {
  const { budget } = assembly;
  budget.merged += 1 + (value.tag === 'map' ? value.entries.length : 0);
  if (budget.merged > MOST_NODES) {
    fault(assembly, here, { code: 'ERR0209', message: `merge keys bring more than ${MOST_NODES} values` });
    return [];
  }
  if (value.tag === 'map') return value.entries;
  if (value.tag !== 'broken')
    fault(assembly, here, { code: 'ERR0217', message: 'a merge key (<<) takes a map or a list of maps' });
  return [];
};

/**
 * Adds the entries of merged maps. An entry of the map itself takes precedence over a merged entry, and an
 * entry of an earlier merged map over an entry of a later merged map.
 */
const addMerged = (assembly: Assembly, entries: Map<string, MapEntry>, merges: readonly Own[]): void => {
  const maps = merges.flatMap(({ here, value }) => mergedMaps(value).map((map) => ({ here, map })));
  for (const { here, map } of maps) {
    if (assembly.budget.merged > MOST_NODES) return;
    for (const entry of brought(assembly, map, here))
      if (!entries.has(entry.key)) entries.set(entry.key, entry);
  }
};

interface Own {
  readonly key: Key;
  readonly here: Here;
  readonly value: Node;
}

/** Refuses a tag on a key, which is always text. */
const refuseTag = (assembly: Assembly, { tag }: Key, here: Here): void => {
  if (tag === undefined || KNOWN_TAGS.includes(tag)) return;
  fault(assembly, here, { code: 'ERR0217', message: `${quoted(tag)} stands on a key; a key has no tag` });
};

/** Records the anchor of a key before its value is built, because the value may refer to this anchor. */
const keepAnchor = (assembly: Assembly, { scalar, offset }: Key): void => {
  if (scalar.anchor !== undefined)
    assembly.anchors.set(scalar.anchor, scalarNode(scalar, placeIn(assembly, offset)));
};

/** Returns the entries of a map as in the file, without expanding merge keys. */
const ownEntries = ({ assembly, grow }: Growing, map: YAMLMap, { path }: Here): readonly Own[] =>
  map.items.flatMap((pair): readonly Own[] => {
    const key = keyOf(pair.key);
    if (key !== undefined) {
      const here = { offset: key.offset, path: key.merges ? path : below(path, key.name) };
      refuseTag(assembly, key, here);
      keepAnchor(assembly, key);
      return [{ key, here, value: grow(assembly, pair.value, here) }];
    }
    const node = isScalar(pair.key) || isAlias(pair.key) || isCollection(pair.key) ? pair.key : map;
    const message = 'a key is a text, not a map, a list, an alias or nothing';
    fault(assembly, { offset: node.range?.[0] ?? 0, path }, { code: 'ERR0217', message });
    return [];
  });

export const mapEntries = (growing: Growing, map: YAMLMap, at: Here): readonly MapEntry[] => {
  const { assembly } = growing;
  const entries = new Map<string, MapEntry>();
  const own = ownEntries(growing, map, at);
  for (const { key, here, value } of own.filter(({ key: { merges } }) => !merges)) {
    const { name, offset } = key;
    if (entries.has(name))
      fault(assembly, here, { code: 'ERR0217', message: `the key ${quoted(name)} stands here twice` });
    else entries.set(name, { key: name, keyAt: placeIn(assembly, offset), value });
  }
  addMerged(
    assembly,
    entries,
    own.filter(({ key }) => key.merges),
  );
  return [...entries.values()];
};
