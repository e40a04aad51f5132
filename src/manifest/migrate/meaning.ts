// The meaning of nodes, regardless of layout: two nodes with one fingerprint load the same. Aliases are
// followed, tags count, includes are not read.
import { createHash } from 'node:crypto';
import { isAlias, isMap, isScalar, isSeq, type Scalar } from 'yaml';

/** Fingerprints by node. An anchor is known only once it is complete, as in a load. */
interface Meanings {
  readonly nodes: Map<unknown, string>;
  readonly anchors: Map<string, string>;
}

const fingerprint = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64');

/** The fingerprint of a scalar. Quotes turn a number into a text, and a merge key into an ordinary one. */
const ofScalar = ({ value, source, type }: Scalar): string => {
  if (typeof value !== 'string') return fingerprint('scalar', source ?? '');
  return fingerprint(value === '<<' && type === 'PLAIN' ? 'merge' : 'text', value);
};

/** The fingerprint of an empty map. */
export const EMPTY = fingerprint('', fingerprint('map'));

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

/** The fingerprint of every node of a tree. */
export const meaningsOf = (root: unknown): ReadonlyMap<unknown, string> => {
  const meanings: Meanings = { nodes: new Map(), anchors: new Map() };
  note(root, meanings);
  return meanings.nodes;
};
