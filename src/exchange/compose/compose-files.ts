// Reads Compose files into one tree: replaces variables, resolves `include` and `extends`, and merges all
// files.
import { dirname, join, resolve } from 'node:path';
import { childOf, type MapEntry, type Node as TreeNode } from '../../manifest/read/node.ts';
import { parseEnvFile } from '../../streams/env/parse-env-file.ts';
import { failure } from '../../streams/views/errors/command-failure.ts';
import type { ImportDeps } from '../import-format.ts';
import type { SourceText } from '../source-texts.ts';
import { plainOf, readStructured, sourceLine, withTexts } from '../structured-settings.ts';
import { interpolatedTree } from './compose-interpolation.ts';
import { joinedTrees, normalised } from './compose-merge.ts';
import { isPlainMap, type Loss } from '../key-table.ts';
import { textOf, textsOf } from '../source-values.ts';

export const COMPOSE_TITLE = 'a Compose file';
const DEEPEST = 32;

interface ComposeTree {
  readonly root: TreeNode;
  readonly losses: readonly Loss[];
  /** The directory to which relative paths in the tree are relative. */
  readonly directory: string;
}

/** Matches the dotted keys that have paths as values. An item of a list has the key of the list. */
const PATHS =
  /^(?:services\.[^]*\.(?:env_file(?:\.path)?|build(?:\.context)?|volumes\.source|develop\.watch\.path)|secrets\.[^]*\.file)$/;
const VOLUMES = /^services\.[^]*\.volumes$/;

const absolutePath = (text: string, path: string, directory: string): string => {
  if (PATHS.test(path) && !/^\w+:\/\//.test(text)) return resolve(directory, text);
  return VOLUMES.test(path) ? text.replace(/^\.[^:]*(?=:)/, (source) => resolve(directory, source)) : text;
};

type Refuse = (at: TreeNode, detail: string) => never;

const refuse: Refuse = (at, detail) => {
  throw failure({ code: 'ERR0802', format: COMPOSE_TITLE, detail, ...sourceLine(at) });
};

/** Reads Compose files. Remembers the directory and the YAML tags (`!reset`, `!override`) of each file. */
class ComposeReader {
  readonly losses: Loss[] = [];
  readonly directories = new Map<string, string>();
  readonly #tags: ((node: TreeNode) => string | undefined)[] = [];
  readonly #deps: ImportDeps;
  readonly #variables: Readonly<Record<string, string>>;
  readonly #directory: string;

  constructor(deps: ImportDeps, directory: string) {
    this.#deps = deps;
    this.#directory = directory;
    const file = deps.readIfPresent(join(directory, '.env'));
    this.#variables = { ...(file && parseEnvFile(file.text).vars), ...deps.environment };
  }

  tagOf = (node: TreeNode): string | undefined => {
    for (const tagOf of this.#tags) {
      const tag = tagOf(node);
      if (tag !== undefined) return tag;
    }
    return undefined;
  };

  /** Returns the tree of a file, merged over the trees of the files that it includes. */
  load(file: SourceText, directory: string, chain: readonly string[] = []): TreeNode {
    const { root, tagOf } = readStructured(file, {
      title: COMPOSE_TITLE,
      tags: ['!reset', '!override'],
    });
    if (chain.includes(file.path))
      return refuse(root, `it includes itself: ${[...chain, file.path].join(' → ')}`);
    this.#tags.push(tagOf);
    this.directories.set(file.path, directory);
    const { root: replaced, losses } = interpolatedTree(root, this.#variables, COMPOSE_TITLE);
    const seen = new Set(this.losses.map(({ key }) => key));
    this.losses.push(...losses.filter(({ key }) => !seen.has(key)));
    const whole = normalised(replaced);
    const tree =
      directory === this.#directory
        ? whole
        : withTexts(whole, (text, _, path) => absolutePath(text, path, directory));
    return this.#withIncluded(tree, directory, [...chain, file.path]);
  }

  /**
   * Returns the tree of the file at `path`. If the file does not exist, throws ERR0802 with the place of the
   * value `at`.
   */
  loadNamed(at: TreeNode, path: string, chain: readonly string[] = []): TreeNode {
    const file = this.#deps.readIfPresent(path) ?? refuse(at, `the file ${path} does not exist`);
    return this.load(file, dirname(path), chain);
  }

  #withIncluded(tree: TreeNode, directory: string, chain: readonly string[]): TreeNode {
    const include = childOf(tree, 'include')?.value;
    if (include?.tag !== 'list') return tree;
    const bases = include.items.flatMap((item) => {
      const value = plainOf(item);
      const paths = textsOf(isPlainMap(value) ? value['path'] : value);
      return paths.map((path) => this.loadNamed(item, resolve(directory, path), chain));
    });
    return [...bases, tree].reduce((base, over) => joinedTrees(base, over, { tagOf: this.tagOf, path: '' }));
  }
}

const serviceIn = (tree: TreeNode, name: string): MapEntry | undefined => {
  const services = childOf(tree, 'services')?.value;
  return services && childOf(services, name);
};

/** Resolves `extends`: merges each service over the service that it extends. */
class Extender {
  readonly #reader: ComposeReader;

  constructor(reader: ComposeReader) {
    this.#reader = reader;
  }

  /** Returns the service, merged over all services that it extends. `root`: the tree that has the service. */
  extended(entry: MapEntry, root: TreeNode, chain: readonly string[]): TreeNode {
    const { key, value } = entry;
    const found = childOf(value, 'extends')?.value;
    if (value.tag !== 'map' || found === undefined) return value;
    const link = `${key} (${value.file.path})`;
    if (chain.includes(link) || chain.length > DEEPEST)
      return refuse(found, `${[...chain, link].join(' extends ')}: a service cannot extend itself`);
    const { name, tree } = this.#base(found, root);
    const base = serviceIn(tree, name) ?? refuse(found, `${key} extends ${name}, which is not there`);
    const whole = this.extended(base, tree, [...chain, link]);
    const own = { ...value, entries: value.entries.filter((each) => each.key !== 'extends') };
    return joinedTrees(whole, own, { tagOf: this.#reader.tagOf, path: `services.${key}` });
  }

  /** Returns the name of the extended service, and the tree that has this service. */
  #base(found: TreeNode, root: TreeNode): { readonly name: string; readonly tree: TreeNode } {
    const wanted = plainOf(found);
    if (!isPlainMap(wanted)) return { name: textOf(wanted), tree: root };
    const { service, file } = wanted;
    return { name: textOf(service), tree: file === undefined ? root : this.#other(found, textOf(file)) };
  }

  #other(at: TreeNode, file: string): TreeNode {
    const absolute = resolve(this.#reader.directories.get(at.file.path) ?? '.', file);
    return this.#reader.loadNamed(at, absolute);
  }
}

type MapNode = Extract<TreeNode, { tag: 'map' }>;

/** Returns the tree in which the map `services` is replaced by the result of `turn`. */
const withServices = (root: TreeNode, turn: (services: MapNode) => MapNode): TreeNode => {
  if (root.tag !== 'map') return root;
  const entries = root.entries.map(({ value, ...entry }) => ({
    ...entry,
    value: entry.key === 'services' && value.tag === 'map' ? turn(value) : value,
  }));
  return { ...root, entries };
};

/** Returns all files as one tree. Throws ERR0802 and ERR0803. */
export const composeTree = (files: readonly SourceText[], deps: ImportDeps): ComposeTree => {
  const directory = files[0]?.directory ?? '.';
  const reader = new ComposeReader(deps, directory);
  const trees = files.map((file) => reader.load(file, directory));
  const root = trees.reduce((base, over) => joinedTrees(base, over, { tagOf: reader.tagOf, path: '' }));
  const extender = new Extender(reader);
  const withBases = (services: MapNode): MapNode => ({
    ...services,
    entries: services.entries.map((each) => ({ ...each, value: extender.extended(each, root, []) })),
  });
  const whole = withServices(root, withBases);
  return {
    root: whole,
    losses: reader.losses,
    directory,
  };
};
