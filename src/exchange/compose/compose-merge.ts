// Joins Compose files, and services with those that they extend: maps by their keys, lists one after the
// other; the later value counts (`docs/from-compose.md`, "Import").
import { below, childOf, type MapEntry, type Node as TreeNode } from '../../manifest/read/node.ts';

/** Lists that a later file replaces as a whole. */
const REPLACED = /\.(?:command|entrypoint|healthcheck\.test)$/;
/** Keys of a service that are a list or a map; `depends_on: [db]` is `depends_on: { db: {} }`. */
const EITHER = /^services\.[^]*\.(?:environment|labels|depends_on|extra_hosts|sysctls|annotations)$/;

type Scalar = Extract<TreeNode, { tag: 'scalar' }>;
type ListNode = Extract<TreeNode, { tag: 'list' }>;
type MapNode = Extract<TreeNode, { tag: 'map' }>;

const NOTHING = { tag: 'scalar', weight: 1, source: '', value: undefined } as const;

/** Returns the entry that an item of such a list means: `A=b`, `A` or `db`. */
const entryOf = (item: Scalar, isDependency: boolean): MapEntry => {
  const [, key = '', value] = /^([^=]*)=?([^]*)$/.exec(String(item.value ?? item.source)) ?? [];
  const hasValue = String(item.value).includes('=');
  const { file, offset } = item;
  if (isDependency) return { key, keyAt: item, value: { tag: 'map', entries: [], file, offset, weight: 1 } };
  return { key, keyAt: item, value: { ...NOTHING, file, offset, ...(hasValue && { value }) } };
};

/** Returns the node with the map form of keys that have two forms. */
const asMap = (node: TreeNode, path: string): TreeNode => {
  if (node.tag !== 'list' || !EITHER.test(path)) return node;
  const items = node.items.filter((item): item is Scalar => item.tag === 'scalar');
  const entries = items.map((item) => entryOf(item, path.endsWith('.depends_on')));
  // Of a key that occurs twice the last one counts.
  const last = entries.filter(({ key }, at) => entries.findLastIndex((each) => each.key === key) === at);
  return { ...node, tag: 'map', entries: last };
};

/** Returns the tree with one form for keys that have two, and without keys of the form `x-…`. */
export const normalised = (node: TreeNode, path = ''): TreeNode => {
  const map = asMap(node, path);
  if (map.tag !== 'map') return map;
  const entries = map.entries.filter(
    ({ key }) => !key.startsWith('x-') || /\.(?:environment|labels)$/.test(path),
  );
  return {
    ...map,
    entries: entries.map((entry) => ({ ...entry, value: normalised(entry.value, below(path, entry.key)) })),
  };
};

/** Returns the tag of a value: `!override` replaces what earlier files have. */
type TagOf = (node: TreeNode) => string | undefined;

interface Joining {
  readonly tagOf: TagOf;
  readonly path: string;
}

const joinedLists = (base: ListNode, over: ListNode): TreeNode => {
  const known = base.items.map((item) => (item.tag === 'scalar' ? item.source : undefined));
  const added = over.items.filter((item) => item.tag !== 'scalar' || !known.includes(item.source));
  return { ...over, items: [...base.items, ...added] };
};

const joinedMaps = (base: MapNode, over: MapNode, { tagOf, path }: Joining): TreeNode => {
  const kept = base.entries.filter(({ key }) => childOf(over, key)?.value.tag !== 'broken');
  const joined = kept.map((entry): MapEntry => {
    const later = childOf(over, entry.key);
    if (later === undefined) return entry;
    const joining = { tagOf, path: below(path, entry.key) };
    return { ...later, value: joinedTrees(entry.value, later.value, joining) };
  });
  const added = over.entries.filter(
    ({ key, value }) => value.tag !== 'broken' && childOf(base, key) === undefined,
  );
  return { ...over, entries: [...joined, ...added] };
};

/** Returns the tree of two files, or two services; `over` is the later one, `path` where both are. */
export const joinedTrees = (base: TreeNode, over: TreeNode, joining: Joining): TreeNode => {
  if (joining.tagOf(over) === '!override') return over;
  if (base.tag === 'list' && over.tag === 'list' && !REPLACED.test(joining.path))
    return joinedLists(base, over);
  return base.tag === 'map' && over.tag === 'map' ? joinedMaps(base, over, joining) : over;
};
