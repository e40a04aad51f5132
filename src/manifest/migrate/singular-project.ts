// Reads the singular `project` of an older manifest, in its short and long form (`docs/manifest.md`, "The
// singular project").
import { isAlias, isMap, isScalar, isSeq, type YAMLMap } from 'yaml';
import { NAME_PATTERN } from '../../streams/domain/ids.ts';
import { type Mistake, quoted } from '../check/problem-report.ts';

/** The text of a manifest, and the root map of its syntax tree. */
export interface ManifestSource {
  readonly text: string;
  readonly root: YAMLMap;
}

/** Id and name of the project as YAML text, with their quotes if they have any. */
export interface Singular {
  readonly id: string;
  readonly name?: string;
}

export type MigrationRefusal = Mistake & { readonly offset: number };

interface TopLevelPair {
  readonly value: unknown;
  /** The offset at which the key begins; `end` is where its value ends. */
  readonly start: number;
  readonly end: number;
}

/** Returns the offsets at which a node begins and ends, if known. */
export const spanOf = (node: unknown): readonly [number, number] | undefined => {
  const range = isScalar(node) || isMap(node) || isSeq(node) || isAlias(node) ? node.range : undefined;
  return range === undefined || range === null ? undefined : [range[0], range[1]];
};

export const pairOf = (root: YAMLMap, key: string): TopLevelPair | undefined => {
  const pair = root.items.find((item) => isScalar(item.key) && item.key.value === key);
  if (pair === undefined) return undefined;
  const [start, keyEnd] = spanOf(pair.key) ?? [0, 0];
  const [, end] = spanOf(pair.value) ?? [0, keyEnd];
  return { value: pair.value, start, end: Math.max(keyEnd, end) };
};

const ONE_LINE = ['PLAIN', 'QUOTE_DOUBLE', 'QUOTE_SINGLE'];

interface Written {
  readonly text: string;
  readonly value: string;
}

/** Returns the text of a scalar as in the file; `undefined` for other nodes, such as `!include`. */
const written = (node: unknown, text: string): Written | undefined => {
  const span = spanOf(node);
  if (!isScalar(node) || node.tag !== undefined || span === undefined) return undefined;
  const value = typeof node.value === 'string' ? node.value : (node.source ?? '');
  const slice = text.slice(...span);
  const kept = ONE_LINE.includes(String(node.type)) && !slice.includes('\n');
  return { text: kept ? slice : JSON.stringify(value), value };
};

const refuse = (offset: number, message: string, hint = HINT): MigrationRefusal => ({
  offset,
  code: 'ERR0213',
  message,
  hint,
});

const HINT = 'write id and name into the manifest itself, then migrate';
const BY_HAND = 'write projects by hand, or take it out, then migrate';

const placeOf = (node: unknown, otherwise: number): number => spanOf(node)?.[0] ?? otherwise;

const anchorOf = (node: unknown): string | undefined =>
  isScalar(node) || isMap(node) ? node.anchor : undefined;

/** Refuses an anchor inside `project`: its lines are rewritten, so aliases would break. */
const anchored = (nodes: readonly unknown[], start: number): MigrationRefusal | undefined => {
  const node = nodes.find((each) => anchorOf(each) !== undefined);
  if (node === undefined) return undefined;
  const anchor = `&${anchorOf(node) ?? ''}`;
  return refuse(placeOf(node, start), `the anchor ${quoted(anchor)} would be lost`, BY_HAND);
};

const KNOWN: readonly unknown[] = ['id', 'name'];

/**
 * Refuses a key other than `id` and `name`, and a key that occurs twice, because their meaning is unknown.
 */
const stranger = (project: YAMLMap, start: number): MigrationRefusal | undefined => {
  const keys = project.items.map(({ key }) => key);
  const names = keys.map((key) => (isScalar(key) ? key.value : undefined));
  const odd = names.findIndex((name, index) => !KNOWN.includes(name) || names.indexOf(name) < index);
  if (odd === -1) return undefined;
  const message = `${quoted(String(names[odd]))} is not a key of the singular project, which has id and name once each`;
  return refuse(placeOf(keys[odd], start), message, BY_HAND);
};

const idIn = (node: unknown, { text, start }: Site): MigrationRefusal | Written => {
  const id = written(node, text);
  if (id === undefined) return refuse(start, 'the project has no id that can be read here');
  return NAME_PATTERN.test(id.value) ? id : refuse(start, `${quoted(id.value)} is not a project id`);
};

const shortForm = (node: unknown, site: Site): Singular | MigrationRefusal => {
  const id = idIn(node, site);
  return 'code' in id ? id : (anchored([node], site.start) ?? { id: id.text });
};

const nameIn = (node: unknown, { text, start }: Site): MigrationRefusal | Pick<Singular, 'name'> => {
  if (node === undefined) return {};
  const name = written(node, text);
  if (name === undefined) return refuse(placeOf(node, start), 'the name of the project cannot be read here');
  return { name: name.text };
};

/** Returns the project from `project: { id, name }`, or a refusal. */
const longForm = (project: YAMLMap, site: Site): Singular | MigrationRefusal => {
  const [id, name] = [project.get('id', true), project.get('name', true)];
  const odd = stranger(project, site.start) ?? anchored([project, id, name], site.start);
  if (odd !== undefined) return odd;
  const given = shortForm(id, site);
  const label = nameIn(name, site);
  if ('code' in given) return given;
  return 'code' in label ? label : { ...given, ...label };
};

interface Site {
  readonly text: string;
  readonly start: number;
}

const singularIn = ({ value, start }: TopLevelPair, text: string): Singular | MigrationRefusal =>
  isMap(value) ? longForm(value, { text, start }) : shortForm(value, { text, start });

const MERGED = 'a merge key (<<) beside project may bring services that belong to it';

/**
 * Returns the project below the key `project` (which `projects` has replaced), if the manifest has this key,
 * or the reason why the key cannot be migrated.
 */
export const singularOf = ({ text, root }: ManifestSource): Singular | MigrationRefusal | undefined => {
  const pair = pairOf(root, 'project');
  if (pair === undefined) return undefined;
  if (pairOf(root, 'projects') !== undefined)
    return refuse(pair.start, 'project and projects exclude each other');
  const merge = pairOf(root, '<<');
  return merge === undefined ? singularIn(pair, text) : refuse(merge.start, MERGED, BY_HAND);
};
