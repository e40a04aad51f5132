// The smallest manifest around the example of a key that loads, and in which the key has an effect.
import { parse, stringify } from 'yaml';
import { HOMES, WEB, type Examples, type Home } from './key-examples.ts';

/** Other keys of the same map without which an example would have no effect or be refused. */
const BESIDE: Readonly<Record<string, readonly string[]>> = {
  'service.control': ['user: www-data'],
  'service.max_memory_for': ['max_memory: 512M'],
  'service.credentials': ['isolation: { user: true }'],
  'service.run_as': ['user: www-data'],
  'deployment.grace_period': ['strategy: rolling'],
  'metrics.spillover_max_bytes': ['spillover_path: metrics'],
  'metrics.spillover_segment_bytes': ['spillover_path: metrics'],
};

/** What the service needs for all keys of such a map to have an effect. */
const AROUND: Examples = {
  env: 'user: www-data',
  credential: 'isolation: { user: true }',
  spawn_limits: 'spawn: { mode: dynamic }',
  liveness: 'deployment: { health_check: { command: ./is-ready } }',
};

type Tree = Record<string, unknown>;

const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What a list at this place begins with is its only item. */
const wrapped = (path: readonly string[], inner: unknown): unknown =>
  path.reduceRight<unknown>((below, key) => (key === '0' ? [below] : { [key]: below }), inner);

const merged = (one: Tree, other: Tree): Tree => {
  const both = { ...one };
  for (const [key, value] of Object.entries(other)) {
    const there = both[key];
    both[key] = isTree(there) && isTree(value) ? merged(there, value) : value;
  }
  return both;
};

const treeOf = (text: string): Tree => {
  const tree: unknown = parse(text);
  if (!isTree(tree)) throw new Error(`no map: ${text}`);
  return tree;
};

const homeOf = (table: string): Home => HOMES[table] ?? { path: [], examples: {} };

/** The kinds of a health check besides `command`. */
const CHECKS = ['health_check', 'liveness'];
const KINDS = ['url', 'tcp', 'log', 'notify', 'watchdog'];

const inner = (table: string, key: string): Tree => {
  const { needs = {}, examples } = homeOf(table);
  const own = treeOf(examples[key] ?? '');
  const isReplaced = (name: string): boolean =>
    name in own ||
    (CHECKS.includes(table) && name === 'command' && KINDS.some((kind) => kind in own)) ||
    (table === 'alert' && name === 'url' && 'command' in own);
  const needed = Object.entries(needs).filter(([name]) => !isReplaced(name));
  const beside = BESIDE[`${table}.${key}`] ?? [];
  return [...needed.map(([, text]) => text), ...beside].reduce((all, text) => merged(all, treeOf(text)), own);
};

const PROGRAM = { command: 'node web.js' };
const DATABASE = { db: { command: 'node db.js', restart_policy: 'never' } };

/** The services beside the example: one to have it, and the dependency that it names. */
const servicesFor = (path: readonly string[], own: Tree): Tree => ({
  ...(stringify(own).includes('db') && DATABASE),
  web: path.length === WEB.length && 'exec' in own ? {} : PROGRAM,
});

/** A `watchdog` needs a service that notifies. */
const around = (table: string, key: string): Tree => ({
  services: {
    web:
      key === 'watchdog'
        ? treeOf('deployment: { health_check: { notify: true } }')
        : treeOf(AROUND[table] ?? '{}'),
  },
});

/** A whole manifest with the example of this key. */
export const manifestWith = (table: string, key: string, version: number): string => {
  const { path } = homeOf(table);
  const own = inner(table, key);
  const whole = treeOf(stringify(wrapped(path, own)));
  const services = merged({ services: servicesFor(path, own) }, around(table, key));
  return stringify({ ...merged(services, whole), version });
};
