// Checks that a migrated manifest means the same as the original. Compares nodes by fingerprints, which do
// not depend on the layout. An alias has the fingerprint of its anchor. A tag is part of a fingerprint.
// Included files are not read.
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { isAlias, isMap, isScalar, isSeq, type Scalar, type YAMLMap } from 'yaml';

/**
 * Fingerprints of nodes and anchors. The fingerprint of an anchor is added only when its node is complete. So
 * an alias inside its own anchor is not resolved, as in a load.
 */
interface Meanings {
  readonly nodes: Map<unknown, string>;
  readonly anchors: Map<string, string>;
}

const fingerprint = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64');

/** Returns the fingerprint of a scalar. It depends on quotes, because they make a number a string. */
const ofScalar = ({ value, source, type }: Scalar): string => {
  if (typeof value !== 'string') return fingerprint('scalar', source ?? '');
  return fingerprint(value === '<<' && type === 'PLAIN' ? 'merge' : 'text', value);
};

const EMPTY = fingerprint('', fingerprint('map'));

const contents = (node: unknown, meanings: Meanings): string => {
  if (isScalar(node)) return ofScalar(node);
  if (isSeq(node)) return fingerprint('list', ...node.items.map((item) => note(item, meanings)));
  if (!isMap(node)) return fingerprint('nothing');
  const pairs = node.items.map(({ key, value }) => [note(key, meanings), note(value, meanings)]);
  return fingerprint('map', ...pairs.flat());
};

const meaningOf = (node: unknown, meanings: Meanings): string => {
  if (isAlias(node)) return meanings.anchors.get(node.source) ?? fingerprint('unknown', node.source);
  const { tag = '', anchor } = isScalar(node) || isMap(node) || isSeq(node) ? node : {};
  const meaning = fingerprint(tag, contents(node, meanings));
  if (anchor !== undefined) meanings.anchors.set(anchor, meaning);
  return meaning;
};

const note = (node: unknown, meanings: Meanings): string => {
  const meaning = meaningOf(node, meanings);
  meanings.nodes.set(node, meaning);
  return meaning;
};

/** Returns the fingerprints of all nodes of a tree. */
const meaningsOf = (root: unknown): ReadonlyMap<unknown, string> => {
  const meanings: Meanings = { nodes: new Map(), anchors: new Map() };
  note(root, meanings);
  return meanings.nodes;
};

/** The keys that the migration rewrites. All other keys must stay as they are. */
const REWRITTEN: readonly unknown[] = ['version', 'project', 'projects', 'services'];

/** Fingerprints of the parts that are compared. A missing part counts as an empty map. */
type Parts = readonly (readonly (string | undefined)[])[];

const child = (node: unknown, key: string): unknown => (isMap(node) ? node.get(key, true) : undefined);
const partsOf = (root: YAMLMap, parts: Readonly<Record<string, unknown>>): Parts => {
  const meanings = meaningsOf(root);
  const others = root.items.filter(({ key }) => !isScalar(key) || !REWRITTEN.includes(key.value));
  return [
    ...others.map(({ key, value }) => [meanings.get(key), meanings.get(value)]),
    ...Object.entries(parts).map(([name, node]) => [name, node === undefined ? EMPTY : meanings.get(node)]),
  ];
};

const topLevel = (root: YAMLMap): Parts =>
  partsOf(root, { projects: child(root, 'projects'), services: child(root, 'services') });

const singular = (root: YAMLMap): Parts => {
  const project = child(root, 'project');
  const id = isMap(project) ? child(project, 'id') : project;
  return partsOf(root, { id, name: child(project, 'name'), services: child(root, 'services') });
};

/** Returns the fingerprints of the parts of the only project; empty if there is not exactly one project. */
const moved = (root: YAMLMap): Parts => {
  const projects = child(root, 'projects');
  const [only, ...more] = isMap(projects) ? projects.items : [];
  if (only === undefined || more.length > 0 || root.has('project') || root.has('services')) return [];
  const { key: id, value } = only;
  return partsOf(root, { id, name: child(value, 'name'), services: child(value, 'services') });
};

export const meansTheSame = (before: YAMLMap, after: YAMLMap): boolean => {
  const [was, is] = before.has('project')
    ? [singular(before), moved(after)]
    : [topLevel(before), topLevel(after)];
  return isDeepStrictEqual(was, is);
};
