// Expands references in the values of a manifest: `${VAR}`, `${VAR:-default}` and `${VAR:?message}`. `$$`
// gives a dollar sign. `$NAME` without braces is not changed, because the shell expands it
// (`docs/manifest.md`, "env").

/** A function that returns the value of a variable in the present scope; `undefined` if it is not set. */
export type Lookup = (name: string) => string | undefined;

/** Why a reference cannot be expanded. `at`: its offset in the value. */
export type Fault =
  | { readonly tag: 'undefined'; readonly at: number; readonly name: string; readonly message?: string }
  | { readonly tag: 'malformed'; readonly at: number; readonly form: string }
  | { readonly tag: 'too-long'; readonly at: number };

export type Expansion =
  | { readonly tag: 'expanded'; readonly text: string }
  /** All references that failed. A variable that is not set is reported only once. */
  | { readonly tag: 'failed'; readonly faults: readonly Fault[] };

const LONGEST = 1024 * 1024;
const REFERENCE = /^([A-Za-z_][A-Za-z0-9_]*)(?:(:[-?])([^]*))?$/;

const DEEPEST = 20;
/** The maximum number of faults that are reported for one value. */
const MOST_FAULTS = 100;

/** Returns the offset of the brace that closes the one at `open`; -1 if there is none. */
const closing = (text: string, open: number): number => {
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    if (text.startsWith('${', at)) depth += 1;
    else if (text[at] === '}') depth -= 1;
    if (depth === 0) return at;
  }
  return -1;
};

interface Reach {
  readonly lookup: Lookup;
  readonly depth: number;
  /** The offset of the text that is being expanded, in the whole value. */
  readonly from: number;
}

const failed = (fault: Fault): Expansion => ({ tag: 'failed', faults: [fault] });

/** True for an empty variable, which the operators `:-` and `:?` treat as unset, as the shell does. */
const isEmpty = (text: string | undefined): boolean => text === undefined || text === '';

interface Reference {
  readonly name: string;
  readonly at: number;
  readonly operator: string | undefined;
  readonly operand: string;
  /** The offset of the operand in the whole value. */
  readonly from: number;
}

const valueOf = ({ name, at, operator, operand, from }: Reference, { lookup, depth }: Reach): Expansion => {
  const text = lookup(name);
  if (operator !== undefined && isEmpty(text))
    return operator === ':-'
      ? expandNested(operand, { lookup, depth: depth + 1, from })
      : failed({ tag: 'undefined', at, name, message: operand });
  return text === undefined ? failed({ tag: 'undefined', at, name }) : { tag: 'expanded', text };
};

/** Expands one reference. `form`: its text between the braces. `at`: its offset in the value. */
const substitute = (form: string, at: number, reach: Reach): Expansion => {
  const [, name, operator, operand = ''] = REFERENCE.exec(form) ?? [];
  if (name === undefined || reach.depth > DEEPEST)
    return failed({ tag: 'malformed', at, form: `\${${form}}` });
  const from = at + '${'.length + form.length - operand.length;
  return valueOf({ name, at, operator, operand, from }, reach);
};

/** Expands one piece: a reference, `$$`, or text without `$`. Also returns where the next piece begins. */
const piece = (text: string, at: number, reach: Reach): [Expansion, number] => {
  if (text.startsWith('$$', at)) return [{ tag: 'expanded', text: '$' }, at + 2];
  if (!text.startsWith('${', at)) {
    const next = text.indexOf('$', at + 1);
    const end = next === -1 ? text.length : next;
    return [{ tag: 'expanded', text: text.slice(at, end) }, end];
  }
  const end = closing(text, at);
  const begin = reach.from + at;
  if (end === -1) return [failed({ tag: 'malformed', at: begin, form: text.slice(at) }), text.length];
  return [substitute(text.slice(at + 2, end), begin, reach), end + 1];
};

const isSame = (one: Fault, other: Fault): boolean =>
  one.tag === 'undefined' && other.tag === 'undefined' && one.name === other.name;

const expandNested = (text: string, reach: Reach): Expansion => {
  const faults: Fault[] = [];
  let result = '';
  let at = 0;
  while (at < text.length && faults.length < MOST_FAULTS) {
    const [expansion, next] = piece(text, at, reach);
    if (expansion.tag === 'expanded') result += expansion.text;
    else faults.push(...expansion.faults.filter((fault) => !faults.some((other) => isSame(fault, other))));
    if (result.length > LONGEST) return failed({ tag: 'too-long', at: reach.from });
    at = next;
  }
  return faults.length > 0 ? { tag: 'failed', faults } : { tag: 'expanded', text: result };
};

/** Returns the value with all references expanded, or the faults of those that cannot be expanded. */
export const expand = (text: string, lookup: Lookup): Expansion =>
  text.includes('$') ? expandNested(text, { lookup, depth: 0, from: 0 }) : { tag: 'expanded', text };
