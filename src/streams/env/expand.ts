// `${VAR}` in the values of a manifest: `${VAR}`, `${VAR:-default}`, `${VAR:?message}`, and `$$` for a dollar sign.
// A bare `$NAME` is the shell's business and left alone (`docs/manifest.md`, "env").

/** The value of a variable in the scope at hand. */
export type Lookup = (name: string) => string | undefined;

export type Expansion =
  | { readonly tag: 'expanded'; readonly text: string }
  | { readonly tag: 'undefined'; readonly name: string; readonly message?: string }
  | { readonly tag: 'malformed'; readonly form: string }
  | { readonly tag: 'too-long' };

const LONGEST = 1024 * 1024;
const REFERENCE = /^([A-Za-z_][A-Za-z0-9_]*)(?:(:[-?])([^]*))?$/;

const DEEPEST = 20;

/** The offset of the brace that closes the one at `open`; -1 when none does. */
const closing = (text: string, open: number): number => {
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    if (text.startsWith('${', at)) depth += 1;
    else if (text[at] === '}') depth -= 1;
    if (depth === 0) return at;
  }
  return -1;
};

/** What stands in for a variable that is unset or empty. */
const alternative = (name: string, operator: string, rest: Rest): Expansion =>
  operator === ':-'
    ? expandNested(rest.operand, rest.lookup, rest.depth + 1)
    : { tag: 'undefined', name, message: rest.operand };

interface Rest {
  readonly operand: string;
  readonly lookup: Lookup;
  readonly depth: number;
}

/** The shell's idea of nothing. */
const isEmpty = (text: string | undefined): boolean => text === undefined || text === '';

const substitute = (form: string, lookup: Lookup, depth: number): Expansion => {
  const [, name, operator, operand = ''] = REFERENCE.exec(form) ?? [];
  if (name === undefined || depth > DEEPEST) return { tag: 'malformed', form: `\${${form}}` };
  const text = lookup(name);
  if (operator !== undefined && isEmpty(text)) return alternative(name, operator, { operand, lookup, depth });
  return text === undefined ? { tag: 'undefined', name } : { tag: 'expanded', text };
};

/** One piece from `at` on: what it expands to, and where the next begins. */
const piece = (text: string, at: number, context: { lookup: Lookup; depth: number }): [Expansion, number] => {
  if (text.startsWith('$$', at)) return [{ tag: 'expanded', text: '$' }, at + 2];
  if (!text.startsWith('${', at)) {
    const next = text.indexOf('$', at + 1);
    const end = next === -1 ? text.length : next;
    return [{ tag: 'expanded', text: text.slice(at, end) }, end];
  }
  const end = closing(text, at);
  if (end === -1) return [{ tag: 'malformed', form: text.slice(at) }, text.length];
  return [substitute(text.slice(at + 2, end), context.lookup, context.depth), end + 1];
};

const expandNested = (text: string, lookup: Lookup, depth: number): Expansion => {
  let result = '';
  let at = 0;
  while (at < text.length) {
    const [expansion, next] = piece(text, at, { lookup, depth });
    if (expansion.tag !== 'expanded') return expansion;
    result += expansion.text;
    if (result.length > LONGEST) return { tag: 'too-long' };
    at = next;
  }
  return { tag: 'expanded', text: result };
};

/** Expands every reference in a value. The first that has no value decides what is said. */
export const expand = (text: string, lookup: Lookup): Expansion =>
  text.includes('$') ? expandNested(text, lookup, 0) : { tag: 'expanded', text };
