// Decodes a scalar: expands `${VAR}`, then reads the result, so that a variable may hold a number or boolean.
import { expand, type Fault } from '../../../streams/env/expand-references.ts';
import { type Mistake, quoted, shown, withArticle } from '../../check/problem-report.ts';
import type { ScalarNode, Node, SourcePlace } from '../../read/node.ts';
import {
  reportAt,
  mayExpand,
  type DecodeContext,
  type Decoder,
  type JsonSchema,
  type Spot,
} from '../shapes/decoder.ts';

/**
 * Returns the offset of the newline that ends the given number of lines from `offset`, or the end of the
 * text.
 */
const linesOn = (text: string, offset: number, lines: number): number => {
  let at = offset;
  for (let left = lines; left > 0 && at !== -1; left -= 1) at = text.indexOf('\n', at + 1);
  return at === -1 ? text.length : at;
};

/** Finds the place of a `${…}` in a block scalar by its text, because indentation shifts offsets. */
const inLines = ({ file, offset }: Node, value: string, at: number): SourcePlace | undefined => {
  const [part = ''] = /^\$\{\w*[^]/.exec(value.slice(at)) ?? [];
  const end = linesOn(file.text, offset, value.split('\n').length);
  const found = part === '' ? -1 : file.text.slice(offset, end).indexOf(part);
  return found === -1 ? undefined : { file, offset: offset + found };
};

/**
 * Returns the place of the character at offset `at` of a value; the place of the whole scalar if it is not
 * found.
 */
const placeWithin = (node: Node, value: string, at: number): SourcePlace => {
  const { file, offset } = node;
  const quotes = [0, 1].find((width) => file.text.startsWith(value, offset + width));
  if (quotes !== undefined) return { file, offset: offset + quotes + at };
  return inLines(node, value, at) ?? node;
};

export interface ScalarText {
  /**
   * What the text is. `expanded`: a text in which variables were replaced, so it may be read as a number or
   * boolean.
   */
  readonly kind: 'text' | 'number' | 'flag' | 'expanded';
  readonly text: string;
}

interface Refused {
  readonly ok: false;
  readonly code?: Mistake['code'];
  readonly rule: string;
  readonly hint?: string | undefined;
}

export type ScalarReading<T> = { readonly ok: true; readonly value: T } | Refused;

export const read = <T>(value: T): ScalarReading<T> => ({ ok: true, value });
export const refused = (rule: string, hint?: string): ScalarReading<never> => ({ ok: false, rule, hint });

interface Declaration<T> {
  readonly label: string;
  readonly schema: JsonSchema;
  /** True if `${VAR}` is not expanded, as in the entries of `exec`. */
  readonly verbatim?: boolean;
  readonly read: (scalar: ScalarText) => ScalarReading<T>;
}

const KINDS = { string: 'text', number: 'number', boolean: 'flag' } as const;

const undefinedText = ({ name, message }: Extract<Fault, { tag: 'undefined' }>): string =>
  `\${${name}} is not defined here${message === undefined ? '' : `: ${quoted(message)}`}`;

const undefinedHint = (name: string, isSecret: (name: string) => boolean): string => {
  if (isSecret(name)) return `it is a secret, which only the process sees: write $${name} for the shell`;
  if (name === 'SUP_INSTANCE') return 'write {instance}, or $SUP_INSTANCE for the shell of the service';
  return `define it in env.vars, or give a default: \${${name}:-…}`;
};

/** Returns the problem of a reference that could not be expanded. */
const faultFinding = (fault: Fault, isSecret: (name: string) => boolean): Mistake => {
  switch (fault.tag) {
    case 'undefined':
      return {
        code: 'ERR0216',
        message: undefinedText(fault),
        ...(fault.message === undefined && {
          hint: undefinedHint(fault.name, isSecret),
        }),
      };
    case 'malformed':
      return {
        code: 'ERR0216',
        message: `${quoted(fault.form)} is none of \${VAR}, \${VAR:-default}, \${VAR:?message}`,
        hint: 'write $${…} for a text that the shell should expand',
      };
    case 'too-long':
      return { code: 'ERR0209', message: 'the value is longer than 1 MiB once its variables are expanded' };
  }
};

/**
 * Reports references that failed, each at its place. Skips references to variables that were themselves
 * refused.
 */
export const reportFaults = (faults: readonly Fault[], text: string, { spot, context }: FaultPlace): void => {
  const { failed, env } = context.scope;
  const isSecret = (name: string): boolean => Object.hasOwn(env.secrets ?? {}, name);
  for (const fault of faults.filter((each) => each.tag !== 'undefined' || !failed.has(each.name))) {
    const place = placeWithin(spot.node, text, fault.at);
    context.report.add({ path: spot.path, place }, faultFinding(fault, isSecret));
  }
};

interface FaultPlace {
  readonly spot: Spot;
  readonly context: DecodeContext;
}

const expanded = (text: string, spot: Spot, context: DecodeContext): ScalarText | undefined => {
  const expansion = expand(text, context.scope.lookup);
  if (expansion.tag === 'expanded')
    return mayExpand(expansion.text.length, spot, context)
      ? { kind: 'expanded', text: expansion.text }
      : undefined;
  reportFaults(expansion.faults, text, { spot, context });
  return undefined;
};

const textOf = (
  node: ScalarNode,
  spot: Spot,
  context: DecodeContext & { verbatim: boolean },
): ScalarText | undefined => {
  const { value, source } = node;
  if (value === undefined) return undefined;
  if (typeof value === 'string' && value.includes('$') && !context.verbatim)
    return expanded(value, spot, context);
  return {
    kind: KINDS[typeof value as keyof typeof KINDS],
    text: typeof value === 'string' ? value : source,
  };
};

/** Returns a JSON Schema that also accepts a string with `${VAR}`. */
export const orReference = (schema: JsonSchema): JsonSchema => ({
  anyOf: [schema, { type: 'string', pattern: '\\$\\{' }],
});

/** Returns the text of the scalar. Reports a node that is not a scalar or has no value. */
const given = (
  spot: Spot,
  context: DecodeContext,
  { label, verbatim }: { label: string; verbatim: boolean },
) => {
  const { node } = spot;
  if (node.tag === 'broken') return undefined;
  if (node.tag === 'scalar' && node.value !== undefined) return textOf(node, spot, { ...context, verbatim });
  reportAt(spot, context, { code: 'ERR0213', message: `${shown(node)} is not ${withArticle(label)}` });
  return undefined;
};

const findingOf = (text: ScalarText, { code = 'ERR0213', rule, hint }: Refused): Mistake => {
  const bare = text.kind === 'number' || text.kind === 'flag';
  return { code, message: `${bare ? text.text : quoted(text.text)} ${rule}`, hint };
};

export const scalar = <T>(declaration: Declaration<T>): Decoder<T> => {
  const { label, schema, verbatim = false } = declaration;
  return {
    label,
    schema: () => schema,
    decode: (spot, context) => {
      const text = given(spot, context, { label, verbatim });
      if (text === undefined) return undefined;
      const reading = declaration.read(text);
      if (reading.ok) return reading.value;
      reportAt(spot, context, findingOf(text, reading));
      return undefined;
    },
  };
};
