// The entries of `exec` are taken as they are: an empty program is refused, and a `${VAR}` that a reader may take for a
// variable warns. A shell expands its arguments by itself.
import type { Node } from '../../read/node.ts';
import { quoted } from '../../check/quote.ts';
import { complain, type Context, type Spot } from '../shapes/decoder.ts';

const SHELL = /(^|\/)(a|ba|da|k|z)?sh$/;
const REFERENCE = /\$\{[A-Za-z_][A-Za-z0-9_]*(:[-?][^}]*)?\}/;

const textOf = (node: Node): string => (node.tag === 'scalar' ? node.source : '');

/** `spot` is the list. */
export const checkExec = (spot: Spot, context: Context): void => {
  const { node, path } = spot;
  if (node.tag !== 'list') return;
  const [program, ...rest] = node.items;
  if (program?.tag === 'scalar' && program.source.trim() === '')
    complain({ node: program, path: `${path}[0]` }, context, {
      code: 'ERR0213',
      message: 'is empty: it names the program',
    });
  if (program === undefined || SHELL.test(textOf(program))) return;
  for (const [index, item] of [program, ...rest].entries()) {
    const [reference] = REFERENCE.exec(textOf(item)) ?? [];
    if (reference === undefined) continue;
    complain({ node: item, path: `${path}[${index}]` }, context, {
      code: 'ERR0216',
      severity: 'warning',
      message: `${quoted(reference)} is not expanded: the entries of exec are taken as they are`,
      hint: 'use command, or let the program read the variable from its environment',
    });
  }
};
