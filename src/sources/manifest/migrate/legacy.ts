// The singular `project` of a legacy manifest, in both of its forms, as it is written (`docs/manifest.md`, "The
// singular project").
import { isAlias, isMap, isScalar, isSeq, type YAMLMap } from 'yaml';
import { NAME_PATTERN } from '../../../streams/domain/ids.ts';
import { quoted } from '../check/quote.ts';
import type { Finding } from '../check/report.ts';

/** A text and the root map of its tree. */
export interface Source {
  readonly text: string;
  readonly root: YAMLMap;
}

/** Id and name as YAML text, quotes included. */
export interface Singular {
  readonly id: string;
  readonly name?: string;
}

export type Refusal = Finding & { readonly offset: number };

interface TopLevelPair {
  readonly value: unknown;
  /** Where the key begins and the value ends. */
  readonly start: number;
  readonly end: number;
}

/** Where a node begins and ends in its text. */
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

/** A scalar as it is written; `undefined` for anything else, an `!include` too. */
const written = (node: unknown, text: string): Written | undefined => {
  const span = spanOf(node);
  if (!isScalar(node) || node.tag !== undefined || span === undefined) return undefined;
  const value = typeof node.value === 'string' ? node.value : (node.source ?? '');
  const slice = text.slice(...span);
  const kept = ONE_LINE.includes(String(node.type)) && !slice.includes('\n');
  return { text: kept ? slice : JSON.stringify(value), value };
};

const refuse = (offset: number, message: string): Refusal => ({
  offset,
  code: 'ERR0213',
  message,
  hint: 'write id and name into the manifest itself, then migrate',
});

const singularIn = ({ value, start }: TopLevelPair, text: string): Singular | Refusal => {
  const id = written(isMap(value) ? value.get('id', true) : value, text);
  if (id === undefined) return refuse(start, 'the project has no id that can be read here');
  if (!NAME_PATTERN.test(id.value)) return refuse(start, `${quoted(id.value)} is not a project id`);
  const name = isMap(value) ? written(value.get('name', true), text) : undefined;
  return name === undefined ? { id: id.text } : { id: id.text, name: name.text };
};

/** `undefined` when there is no singular form; a refusal when it cannot be read without its include. */
export const singularOf = ({ text, root }: Source): Singular | Refusal | undefined => {
  const pair = pairOf(root, 'project');
  if (pair === undefined) return undefined;
  return pairOf(root, 'projects') === undefined
    ? singularIn(pair, text)
    : refuse(pair.start, 'project and projects exclude each other');
};
