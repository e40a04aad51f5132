// Builds decoders out of others: for a scalar or an object, for a list, for a map with keys that users
// choose, and for a value with its place.
import { printable, quoted, shown, withArticle } from '../../check/problem-report.ts';
import { reportAt, type DecodeContext, type Decoder, type Spot } from './decoder.ts';
import { below, type Node } from '../../read/node.ts';

export const byShape = <S, M>(scalar: Decoder<S>, map: Decoder<M>): Decoder<S | M> => ({
  label: `${scalar.label} or ${map.label}`,
  schema: (definitions) => ({ anyOf: [scalar.schema(definitions), map.schema(definitions)] }),
  decode: (spot, context) =>
    spot.node.tag === 'map' ? map.decode(spot, context) : scalar.decode(spot, context),
});

/** Returns a decoder that converts the value of the given decoder with `turn`. */
export const mapped = <A, B>(decoder: Decoder<A>, turn: (value: A) => B): Decoder<B> => ({
  ...decoder,
  decode: (spot, context) => {
    const value = decoder.decode(spot, context);
    return value === undefined ? undefined : turn(value);
  },
});

export interface Located<T> {
  readonly value: T;
  readonly spot: Spot;
}

export const located = <T>(decoder: Decoder<T>): Decoder<Located<T>> => ({
  ...decoder,
  decode: (spot, context) => {
    const value = decoder.decode(spot, context);
    return value === undefined ? undefined : { value, spot };
  },
});

interface Rules {
  readonly min?: number;
  readonly max?: number;
  /** The allowed number of entries in words: `exactly 2 entries`. */
  readonly count?: string;
}

/**
 * Returns the advice to write the value as a list. A text with spaces, such as a command line, gets no
 * advice.
 */
const listHint = (node: Node): string | undefined => {
  if (node.tag !== 'scalar') return node.tag === 'map' ? 'put it into a list: [{ … }]' : undefined;
  return /^\S+$/.test(node.source) ? `write [${printable(node.source)}]` : undefined;
};

export const list = <T>(item: Decoder<T>, rules: Rules = {}): Decoder<readonly T[]> => {
  const { min = 0, max = Number.POSITIVE_INFINITY, count = 'at least one entry' } = rules;
  return {
    label: `list of ${item.label}`,
    schema: (definitions) => ({
      type: 'array',
      items: item.schema(definitions),
      ...(min > 0 ? { minItems: min } : {}),
      ...(Number.isFinite(max) ? { maxItems: max } : {}),
    }),
    decode: (spot, context) => {
      const { node, path } = spot;
      if (node.tag === 'broken') return undefined;
      if (node.tag !== 'list') {
        const message = `${shown(node)} is not a list`;
        reportAt(spot, context, { code: 'ERR0213', message, hint: listHint(node) });
        return undefined;
      }
      if (node.items.length < min || node.items.length > max) {
        reportAt(spot, context, {
          code: 'ERR0213',
          message: `${node.items.length} entries; it takes ${count}`,
        });
        return undefined;
      }
      const values = node.items.map((one, index) =>
        item.decode({ node: one, path: `${path}[${index}]` }, context),
      );
      return values.filter((value): value is NonNullable<typeof value> => value !== undefined);
    },
  };
};

/** The rule for the keys of a map, such as service names. */
export interface KeyRule {
  /** What the keys are, for messages: `project id`, `service name`. */
  readonly label: string;
  readonly pattern: RegExp;
  readonly rule: string;
  readonly reserved?: readonly string[];
}

const checkKey = (
  spot: Spot,
  key: string,
  { context, keys }: { context: DecodeContext; keys: KeyRule },
): void => {
  const reserved = keys.reserved?.includes(key) === true;
  if (!reserved && keys.pattern.test(key)) return;
  context.report.add(
    { path: spot.path, place: spot.keyAt },
    {
      code: 'ERR0213',
      message: reserved
        ? `${quoted(key)} is reserved`
        : `${quoted(key)} is not ${withArticle(keys.label)}: ${keys.rule}`,
    },
  );
};

/** Returns a decoder for a map in manifest order; wrong entries are left out. */
export const record = <T>(keys: KeyRule, value: Decoder<T>): Decoder<ReadonlyMap<string, T>> => ({
  label: `map of ${keys.label} to ${value.label}`,
  schema: (definitions) => ({
    type: 'object',
    propertyNames: {
      pattern: keys.pattern.source,
      ...(keys.reserved === undefined ? {} : { not: { enum: keys.reserved } }),
    },
    additionalProperties: value.schema(definitions),
  }),
  decode: (spot, context) => {
    const { node, path } = spot;
    if (node.tag === 'broken') return undefined;
    if (node.tag !== 'map') {
      const hint = node.tag === 'list' ? `write each as a key: <${keys.label}>: …` : undefined;
      reportAt(spot, context, { code: 'ERR0213', message: `${shown(node)} is not a map`, hint });
      return undefined;
    }
    const values = new Map<string, T>();
    for (const entry of node.entries) {
      const inner: Spot = { node: entry.value, path: below(path, entry.key), keyAt: entry.keyAt };
      checkKey(inner, entry.key, { context, keys });
      const decoded = value.decode(inner, context);
      if (decoded !== undefined) values.set(entry.key, decoded);
    }
    return values;
  },
});
