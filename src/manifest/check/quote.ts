// Formats an offending value for a message: quoted, without control characters, cut if it is long.
import { escapedLine } from '../../streams/views/words/foreign-text.ts';
import type { Node } from '../read/node.ts';

const LONGEST = 60;

/** Text on one line, without characters that control a terminal. */
export const printable = (text: string): string =>
  escapedLine(text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);

export const quoted = (text: string): string => `"${printable(text)}"`;

/** The value of a node in a message: `"fast"`, `12`, `a map`, `a list`, `nothing`. */
export const shown = (node: Node): string => {
  if (node.tag !== 'scalar') return node.tag === 'list' ? 'a list' : 'a map';
  if (node.value === undefined) return 'nothing';
  return typeof node.value === 'string' ? quoted(node.value) : printable(node.source);
};

/** The noun with its article: `a number`, `an absolute path`. */
export const withArticle = (noun: string): string => `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`;
