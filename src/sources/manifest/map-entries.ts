// The entries of one YAML map: keys as text, duplicates refused, merge keys (`<<`) spread.
import { isAlias, isCollection, isScalar, type YAMLMap } from 'yaml';
import { fault, MOST_NODES, placeIn, type Assembly } from './assembly.ts';
import type { Entry, Node } from './node.ts';
import { quoted } from './quote.ts';

type Grow = (assembly: Assembly, node: unknown, near: number) => Node;

const MERGE = '<<';

interface Key {
  readonly name: string;
  readonly offset: number;
  readonly merges: boolean;
}

/** The key as text; `undefined` for maps, lists and nothing as keys. */
const keyOf = (key: unknown): Key | undefined => {
  if (!isScalar(key) || key.value === null) return undefined;
  const name = typeof key.value === 'string' ? key.value : (key.source ?? '');
  return { name, offset: key.range?.[0] ?? 0, merges: name === MERGE && key.type === 'PLAIN' };
};

/** The maps a merge key names. */
const mergedMaps = (value: Node): readonly Node[] => (value.tag === 'list' ? value.items : [value]);

/** What one merged map brings; counted, because a short text can merge a large map very often. */
const brought = (assembly: Assembly, value: Node, offset: number): readonly Entry[] => {
  const { budget } = assembly;
  budget.merged += 1 + (value.tag === 'map' ? value.entries.length : 0);
  if (budget.merged > MOST_NODES) {
    fault(assembly, offset, { code: 'ERR0209', message: `merge keys bring more than ${MOST_NODES} values` });
    return [];
  }
  if (value.tag === 'map') return value.entries;
  if (value.tag !== 'broken')
    fault(assembly, offset, { code: 'ERR0217', message: 'a merge key (<<) takes a map or a list of maps' });
  return [];
};

/** Own keys win over merged ones, earlier merged maps over later ones. */
const addMerged = (assembly: Assembly, entries: Map<string, Entry>, merges: readonly Own[]): void => {
  const maps = merges.flatMap(({ key, value }) => mergedMaps(value).map((map) => ({ key, map })));
  for (const { key, map } of maps) {
    if (assembly.budget.merged > MOST_NODES) return;
    for (const entry of brought(assembly, map, key.offset))
      if (!entries.has(entry.key)) entries.set(entry.key, entry);
  }
};

interface Own {
  readonly key: Key;
  readonly value: Node;
}

/** The entries as they are written, merge keys among them. */
const ownEntries = (assembly: Assembly, map: YAMLMap, grow: Grow): readonly Own[] =>
  map.items.flatMap((pair): readonly Own[] => {
    const key = keyOf(pair.key);
    if (key !== undefined) return [{ key, value: grow(assembly, pair.value, key.offset) }];
    const node = isScalar(pair.key) || isAlias(pair.key) || isCollection(pair.key) ? pair.key : map;
    const message = 'a key is a text, not a map, a list, an alias or nothing';
    fault(assembly, node.range?.[0] ?? 0, { code: 'ERR0217', message });
    return [];
  });

export const mapEntries = (assembly: Assembly, map: YAMLMap, grow: Grow): readonly Entry[] => {
  const entries = new Map<string, Entry>();
  const own = ownEntries(assembly, map, grow);
  for (const { key, value } of own.filter(({ key: { merges } }) => !merges)) {
    const { name, offset } = key;
    if (entries.has(name))
      fault(assembly, offset, { code: 'ERR0217', message: `the key ${quoted(name)} stands here twice` });
    else entries.set(name, { key: name, keyAt: placeIn(assembly, offset), value });
  }
  addMerged(
    assembly,
    entries,
    own.filter(({ key }) => key.merges),
  );
  return [...entries.values()];
};
