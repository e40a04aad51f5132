// Maps whose keys the user chooses: projects, services, variables.
import { quoted, shown, withArticle } from '../../check/quote.ts';
import { below } from '../../check/dotted-path.ts';
import { complain, type Context, type Decoder, type Spot } from './decoder.ts';

/** The rule for a key. */
export interface KeyRule {
  /** The type of key: `project id`, `service name`. */
  readonly label: string;
  readonly pattern: RegExp;
  readonly rule: string;
  readonly reserved?: readonly string[];
}

const checkKey = (spot: Spot, key: string, { context, keys }: { context: Context; keys: KeyRule }): void => {
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

/** Entries in the order of the manifest, without those that did not decode. */
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
      complain(spot, context, { code: 'ERR0213', message: `${shown(node)} is not a map`, hint });
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
