// Checks the entries of `exec`, which reach the program unchanged. Refuses an empty program, and warns about
// placeholders such as `{slot}`. Also warns about `${VAR}`, unless the program is a shell, which expands it.
import type { Node } from '../read/node.ts';
import { placeholderIn } from './misread-texts.ts';
import { quoted } from './problem-report.ts';
import { reportAt, type DecodeContext, type Spot } from '../decode/shapes/decoder.ts';

const SHELL = /(^|\/)(a|ba|da|k|z)?sh$/;
/** The beginning of `${NAME}`, `${NAME:-default}` or `${NAME:?message}`. */
const REFERENCE = /\$\{[A-Za-z_][A-Za-z0-9_]*(?:\}|:[-?])/;

const textOf = (node: Node): string => (node.tag === 'scalar' ? node.source : '');

const referenceIn = (text: string): string | undefined => {
  const at = text.search(REFERENCE);
  const end = at < 0 ? at : text.indexOf('}', at);
  return end < 0 ? undefined : text.slice(at, end + 1);
};

const warnOfReference = (spot: Spot, context: DecodeContext): void => {
  const reference = referenceIn(textOf(spot.node));
  if (reference === undefined) return;
  reportAt(spot, context, {
    code: 'ERR0216',
    severity: 'warning',
    message: `${quoted(reference)} is not expanded: the entries of exec are taken as they are`,
    hint: 'use command, or let the program read the variable from its environment',
  });
};

const warnOfPlaceholder = (spot: Spot, context: DecodeContext): void => {
  const placeholder = placeholderIn(textOf(spot.node));
  if (placeholder === undefined) return;
  reportAt(spot, context, {
    code: 'ERR0216',
    severity: 'warning',
    message: `${placeholder} is not filled in: the entries of exec are taken as they are`,
    hint: 'use command, or let the program read its slot from the env_var of blue_green',
  });
};

const refuseEmpty = (program: Spot, context: DecodeContext): void => {
  if (program.node.tag !== 'scalar' || program.node.source.trim() !== '') return;
  reportAt(program, context, { code: 'ERR0213', message: 'is empty: it names the program' });
};

export const checkExec = ({ node, path }: Spot, context: DecodeContext): void => {
  if (node.tag !== 'list') return;
  const entries = node.items.map((item, index): Spot => ({ node: item, path: `${path}[${index}]` }));
  const [program] = entries;
  if (program === undefined) return;
  refuseEmpty(program, context);
  entries.forEach((entry) => warnOfPlaceholder(entry, context));
  if (!SHELL.test(textOf(program.node))) entries.forEach((entry) => warnOfReference(entry, context));
};
