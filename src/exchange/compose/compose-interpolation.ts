// Replaces variables in the values of a Compose file: `$VAR`, `${VAR}`, and the forms of `${VAR}` with `:-`,
// `-`, `:?`, `?`, `:+` and `+`. The manifest gets the values that the variables have during the import, as in
// the output of `docker compose config`.
import type { Node as TreeNode } from '../../manifest/read/node.ts';
import { failure } from '../../streams/views/errors/command-failure.ts';
import { sourceLine, withTexts } from '../structured-settings.ts';
import { ownValue, type SourceLine, type Loss } from '../key-table.ts';

interface Replacing {
  readonly variables: Readonly<Record<string, string>>;
  /**
   * Called with each variable that is replaced. `value` is `undefined` if the variable is not set and has no
   * default.
   */
  readonly used: (name: string, value: string | undefined) => void;
  readonly refuse: (detail: string) => never;
}

/** Returns the index of the brace that closes the `${` before `start`; -1 if there is none. */
const closing = (text: string, start: number): number => {
  let depth = 1;
  for (let at = start; at < text.length; at += 1) {
    if (text.startsWith('${', at)) depth += 1;
    else if (text[at] === '}') depth -= 1;
    if (depth === 0) return at;
  }
  return -1;
};

interface Reference {
  readonly name: string;
  /** The operator: `:-`, `-`, `:?`, `?`, `:+` or `+`. It is empty if the variable has no operator. */
  readonly operator: string;
  readonly argument: string;
}

const REFERENCE = /^([A-Za-z_]\w*)(?:(:?[-?+])([^]*))?$/;

const referenceIn = (inner: string, { refuse }: Replacing): Reference => {
  const [, name, operator = '', argument = ''] = REFERENCE.exec(inner) ?? [];
  return name === undefined ? refuse(`\${${inner}} is not a variable`) : { name, operator, argument };
};

/** Returns the text that replaces `${inner}`. */
const substituted = (inner: string, replacing: Replacing): string => {
  const { name, operator, argument } = referenceIn(inner, replacing);
  const value = ownValue(replacing.variables, name);
  const isSet = value !== undefined && !(operator.startsWith(':') && value === '');
  if (operator.endsWith('+')) return isSet ? interpolated(argument, replacing) : '';
  replacing.used(name, operator.endsWith('-') ? (value ?? '') : value);
  return isSet ? value : absent({ name, operator, argument }, replacing);
};

/** Returns the text that replaces a variable that is not set. A required variable (`?`) is refused. */
const absent = ({ name, operator, argument }: Reference, replacing: Replacing): string => {
  if (operator.endsWith('?'))
    return replacing.refuse(`the variable ${name} is not set: ${argument || 'it is required'}`);
  return operator === '' ? '' : interpolated(argument, replacing);
};

/** Returns the text that replaces the `$` at this index, and how many characters it replaces. */
const dollarAt = (text: string, at: number, replacing: Replacing): readonly [string, number] => {
  if (text[at + 1] === '$') return ['$', 2];
  if (text[at + 1] === '{') {
    const end = closing(text, at + 2);
    if (end === -1) return replacing.refuse('a ${ is not closed');
    return [substituted(text.slice(at + 2, end), replacing), end + 1 - at];
  }
  const [name = ''] = /^[A-Za-z_]\w*/.exec(text.slice(at + 1, at + 200)) ?? [];
  if (name === '') return replacing.refuse('a single $ stands here; write $$ for the character');
  return [substituted(name, replacing), 1 + name.length];
};

const interpolated = (text: string, replacing: Replacing): string => {
  let result = '';
  for (let at = 0; at < text.length;) {
    const [part, length] = text[at] === '$' ? dollarAt(text, at, replacing) : [text.charAt(at), 1];
    result += part;
    at += length;
  }
  return result;
};

interface Interpolated {
  readonly root: TreeNode;
  /** The losses: one for each variable, at the first line that uses the variable. */
  readonly losses: readonly Loss[];
}

/** Replaces the variables in all values. Throws ERR0802 for a form that Compose refuses. */
export const interpolatedTree = (
  root: TreeNode,
  variables: Readonly<Record<string, string>>,
  format: string,
): Interpolated => {
  const used = new Map<string, { place: SourceLine; isSet: boolean }>();
  const replaced = withTexts(root, (text, node) => {
    if (!text.includes('$')) return text;
    const place = sourceLine(node);
    return interpolated(text, {
      variables,
      used: (name, value) => {
        if (!used.has(name)) used.set(name, { place, isSet: value !== undefined });
      },
      refuse: (detail) => {
        throw failure({ code: 'ERR0802', format, detail, ...place });
      },
    });
  });
  const losses = [...used].map(([name, { place, isSet }]): Loss => ({
    effect: 'changed',
    key: `\${${name}}`,
    message: isSet
      ? 'the present value is written in its place; another value needs another import'
      : 'the variable is not set: it is replaced by nothing, as Compose does it',
    place,
  }));
  return { root: replaced, losses };
};
