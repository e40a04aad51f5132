// How an offending value is shown in a message: quoted, without control characters, cut where it is long.
import type { Node } from '../read/node.ts';

const LONGEST = 60;
// eslint-disable-next-line no-control-regex -- control characters are just what must not reach a terminal
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** On one line, and nothing in it that a terminal obeys. */
export const withoutControl = (text: string): string => text.replace(CONTROL, escaped);

export const printable = (text: string): string =>
  withoutControl(text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);

export const quoted = (text: string): string => `"${printable(text)}"`;

/** The value of a node in a message: `"fast"`, `12`, `a map`, `a list`, `nothing`. */
export const shown = (node: Node): string => {
  if (node.tag !== 'scalar') return node.tag === 'list' ? 'a list' : 'a map';
  if (node.value === undefined) return 'nothing';
  return typeof node.value === 'string' ? quoted(node.value) : printable(node.source);
};

/** `a number`, `an absolute path`. */
export const withArticle = (noun: string): string => `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`;
