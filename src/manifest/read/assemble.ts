// Builds one tree from the files of a manifest: resolves `!include`, anchors, aliases and merge keys, and
// refuses duplicate keys and unknown tags, so that later steps do not deal with YAML. An unreadable part
// becomes a broken node.
import { isAlias, isMap, isScalar, isSeq } from 'yaml';
import {
  type Assembly,
  fault,
  type Here,
  KNOWN_TAGS,
  mapEntries,
  MOST_NODES,
  placeIn,
  scalarNode,
} from './map-entries.ts';
import { openFragment, type Budget, type Opened } from './manifest-files.ts';
import { brokenAt, type Node } from './node.ts';
import { MOST_TOKENS, parseYaml } from './parse.ts';
import { quoted } from '../check/problem-report.ts';

const INCLUDE = '!include';
const RESET = '!reset';

const include = (assembly: Assembly, scalar: unknown, here: Here): Node => {
  if (!isScalar(scalar) || typeof scalar.value !== 'string' || scalar.value === '')
    return fault(assembly, here, { code: 'ERR0207', message: '!include takes the path of a file' });
  const place = placeIn(assembly, here.offset);
  const { opened: parent, budget } = assembly;
  const opened = openFragment(scalar.value, { place, path: here.path }, { parent, budget });
  return opened === undefined ? brokenAt(place) : assembleFragment(opened, { budget, path: here.path });
};

/**
 * Returns the node of a `!reset`. In the first file a `!reset` is reported, because no earlier file can have
 * its key.
 */
const reset = (assembly: Assembly, here: Here): Node => {
  if (assembly.budget.layer > 0) return { ...brokenAt(placeIn(assembly, here.offset)), reset: true };
  const message = '!reset removes a key of an earlier file, and this is the first one';
  return fault(assembly, here, { code: 'ERR0227', message });
};

const alias = (assembly: Assembly, name: string, here: Here): Node => {
  const target = assembly.anchors.get(name);
  if (target !== undefined) return target;
  return fault(assembly, here, {
    code: 'ERR0217',
    message: `no anchor ${quoted(name)} is complete before this alias`,
  });
};

const sum = (nodes: readonly Node[]): number => nodes.reduce((total, { weight }) => total + weight, 1);

/**
 * Returns a `!reset` in this node, if there is one. Skips lists, because the entries of a list are checked
 * when it is built.
 */
const resetIn = (node: Node): Node | undefined => {
  if (node.tag === 'broken') return node.reset === undefined ? undefined : node;
  return node.tag === 'map' ? node.entries.map(({ value }) => resetIn(value)).find(Boolean) : undefined;
};

/**
 * Refuses a `!reset` in an entry of a list, because a list replaces the list of an earlier file as a whole.
 */
const inList = (assembly: Assembly, item: Node, path: string): Node => {
  const found = resetIn(item);
  if (found === undefined) return item;
  const message = '!reset has no effect in a list, which replaces that of an earlier file as a whole';
  return fault(assembly, { offset: found.offset, path }, { code: 'ERR0227', message });
};

const branch = (assembly: Assembly, node: unknown, here: Here): Node => {
  const place = placeIn(assembly, here.offset);
  if (isScalar(node)) return scalarNode(node, place);
  if (isMap(node)) {
    const entries = mapEntries({ assembly, grow }, node, here);
    return { tag: 'map', ...place, entries, weight: sum(entries.map(({ value }) => value)) };
  }
  if (!isSeq(node)) return { tag: 'scalar', ...place, weight: 1, value: undefined, source: '' };
  const { offset, path } = here;
  const items = node.items.map((item, index) =>
    inList(assembly, grow(assembly, item, { offset, path: `${path}[${index}]` }), path),
  );
  return { tag: 'list', ...place, items, weight: sum(items) };
};

const tagged = (assembly: Assembly, node: unknown, { here, tag }: Marks): Node => {
  if (tag === INCLUDE) return include(assembly, node, here);
  if (tag === RESET) return reset(assembly, here);
  if (tag === undefined || KNOWN_TAGS.includes(tag)) return branch(assembly, node, here);
  return fault(assembly, here, {
    code: 'ERR0217',
    message: `unknown tag ${quoted(tag)}; ${INCLUDE} and ${RESET} are the only ones`,
  });
};

interface Marks {
  readonly here: Here;
  readonly tag: string | undefined;
  readonly anchor: string | undefined;
}

/** Returns place, tag and anchor of a node. `near`: the place to use if the parser does not know it. */
const marksOf = (node: unknown, near: Here): Marks =>
  isScalar(node) || isMap(node) || isSeq(node)
    ? { here: { ...near, offset: node.range?.[0] ?? near.offset }, tag: node.tag, anchor: node.anchor }
    : { here: near, tag: undefined, anchor: undefined };

/** Builds a node of the assembled tree from a node of the syntax tree. */
const grow = (assembly: Assembly, node: unknown, near: Here): Node => {
  if (isAlias(node)) return alias(assembly, node.source, { ...near, offset: node.range?.[0] ?? near.offset });
  const marks = marksOf(node, near);
  const grown = tagged(assembly, node, marks);
  if (marks.anchor !== undefined) assembly.anchors.set(marks.anchor, grown);
  if (grown.weight <= MOST_NODES) return grown;
  return fault(assembly, marks.here, {
    code: 'ERR0209',
    message: `the manifest has more than ${MOST_NODES} values once aliases are expanded`,
  });
};

/** Returns the syntax tree of a file, or reports why it cannot be parsed. */
export const contentsOf = (
  opened: Opened,
  budget: Budget,
  path = '',
): { readonly top: unknown } | undefined => {
  const parsed = parseYaml(opened.file.text, MOST_TOKENS - budget.tokens);
  if (parsed.tag === 'parsed') {
    budget.tokens += parsed.tokens;
    return { top: parsed.document?.contents };
  }
  for (const { code, offset, message } of parsed.faults)
    budget.report.add({ path, place: { file: opened.file, offset } }, { code, message });
  return undefined;
};

/** Returns the tree of a file and of all files that it includes. `path`: the dotted path of this tree. */
export const assembleFrom = (top: unknown, opened: Opened, { budget, path }: Site): Node =>
  grow({ opened, budget, anchors: new Map() }, top, { offset: 0, path });

interface Site {
  readonly budget: Budget;
  readonly path: string;
}

const assembleFragment = (opened: Opened, site: Site): Node => {
  const contents = contentsOf(opened, site.budget, site.path);
  return contents === undefined
    ? brokenAt({ file: opened.file, offset: 0 })
    : assembleFrom(contents.top, opened, site);
};
