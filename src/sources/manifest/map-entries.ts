// The entries of one YAML map: keys as text, duplicates refused, merge keys (`<<`) spread.
import { isAlias, isScalar, type YAMLMap } from 'yaml';
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
  const name = typeof key.value === 'string' ? key.value : (key.source ?? String(key.value));
  return { name, offset: key.range?.[0] ?? 0, merges: name === MERGE && key.type === 'PLAIN' };
};

/** What a merge key brings; counted, because a short text can merge a large map very often. */
const merged = (assembly: Assembly, value: Node, offset: number): readonly Entry[] => {
  const { budget } = assembly;
  if (value.tag === 'list') return value.items.flatMap((item) => merged(assembly, item, offset));
  if (value.tag === 'scalar')
    fault(assembly, offset, { code: 'ERR0217', message: 'a merge key (<<) takes a map or a list of maps' });
  if (value.tag !== 'map') return [];
  budget.merged += value.entries.length;
  if (budget.merged <= MOST_NODES) return value.entries;
  fault(assembly, offset, { code: 'ERR0209', message: `merge keys bring more than ${MOST_NODES} values` });
  return [];
};

const refuseKey = (assembly: Assembly, key: unknown, near: number): void => {
  const offset = isScalar(key) || isAlias(key) ? (key.range?.[0] ?? near) : near;
  fault(assembly, offset, {
    code: 'ERR0217',
    message: 'a key is a text, not a map, a list, an alias or nothing',
  });
};

/** Own keys win over merged ones, earlier merged maps over later ones. */
export const mapEntries = (assembly: Assembly, map: YAMLMap, grow: Grow): readonly Entry[] => {
  const near = map.range?.[0] ?? 0;
  const entries = new Map<string, Entry>();
  const inherited: Entry[] = [];
  for (const pair of map.items) {
    const key = keyOf(pair.key);
    if (key === undefined) {
      refuseKey(assembly, pair.key, near);
      continue;
    }
    const value = grow(assembly, pair.value, key.offset);
    if (key.merges) inherited.push(...merged(assembly, value, key.offset));
    else if (entries.has(key.name))
      fault(assembly, key.offset, {
        code: 'ERR0217',
        message: `the key ${quoted(key.name)} stands here twice`,
      });
    else entries.set(key.name, { key: key.name, keyAt: placeIn(assembly, key.offset), value });
  }
  for (const entry of inherited) if (!entries.has(entry.key)) entries.set(entry.key, entry);
  return [...entries.values()];
};
