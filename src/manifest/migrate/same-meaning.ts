// Checks that a migrated manifest means the same as the old one, before it is returned.
import { isDeepStrictEqual } from 'node:util';
import { isMap, isScalar, type YAMLMap } from 'yaml';
import { EMPTY, meaningsOf } from './meaning.ts';

/** Top-level entries that the migration rewrites; all others stay as they are. */
const REWRITTEN: readonly unknown[] = ['version', 'project', 'projects', 'services'];

/** The meaning of each part of a manifest; a missing part equals an empty map. */
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

/**
 * The parts of the only project; empty if there is not exactly one, or if parts of the singular form remain.
 */
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
