// Merges Compose files, and services with the services that they extend. Maps are merged by key, lists are
// concatenated, and any other later value replaces the earlier one (`docs/from-compose.md`, "Import").
import { below, childOf, type MapEntry, type Node as TreeNode } from '../../manifest/read/node.ts';

/** Matches the lists that a later file replaces as a whole. */
const REPLACED = /\.(?:command|entrypoint|healthcheck\.test)$/;
/**
 * Matches the keys of a service that may be a list or a map: `depends_on: [db]` means `depends_on: { db: {}
 * }`.
 */
const EITHER = /^services\.[^]*\.(?:environment|labels|depends_on|extra_hosts|sysctls|annotations)$/;

type Scalar = Extract<TreeNode, { tag: 'scalar' }>;
type ListNode = Extract<TreeNode, { tag: 'list' }>;
type MapNode = Extract<TreeNode, { tag: 'map' }>;

const NOTHING = { tag: 'scalar', weight: 1, source: '', value: undefined } as const;

/**
 * Returns the map entry for an item of a list that may also be a map: `A=b`, `A`, or `db` in `depends_on`.
 */
const entryOf = (item: Scalar, isDependency: boolean): MapEntry => {
  const [, key = '', value] = /^([^=]*)=?([^]*)$/.exec(String(item.value ?? item.source)) ?? [];
  const hasValue = String(item.value).includes('=');
  const { file, offset } = item;
  if (isDependency) return { key, keyAt: item, value: { tag: 'map', entries: [], file, offset, weight: 1 } };
  return { key, keyAt: item, value: { ...NOTHING, file, offset, ...(hasValue && { value }) } };
};

/** Returns a list as a map if the key at `path` may be a list or a map. */
const asMap = (node: TreeNode, path: string): TreeNode => {
  if (node.tag !== 'list' || !EITHER.test(path)) return node;
  const items = node.items.filter((item): item is Scalar => item.tag === 'scalar');
  const entries = items.map((item) => entryOf(item, path.endsWith('.depends_on')));
  // If a key occurs twice, only its last entry is kept.
  const last = entries.filter(({ key }, at) => entries.findLastIndex((each) => each.key === key) === at);
  return { ...node, tag: 'map', entries: last };
};

/**
 * Returns the tree without keys of the form `x-…`. A list becomes a map if its key may have a list or a map.
 */
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

/** Returns the YAML tag of a value. A value with the tag `!override` replaces the value of earlier files. */
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

/**
 * Returns one tree, merged from the trees of two files or of two services. `over` is the later tree. `path`
 * in `joining` is the dotted key of both trees.
 */
export const joinedTrees = (base: TreeNode, over: TreeNode, joining: Joining): TreeNode => {
  if (joining.tagOf(over) === '!override') return over;
  if (base.tag === 'list' && over.tag === 'list' && !REPLACED.test(joining.path))
    return joinedLists(base, over);
  return base.tag === 'map' && over.tag === 'map' ? joinedMaps(base, over, joining) : over;
};
