// Decodes an object of the manifest (`docs/manifest.md`) by a table of its keys. Refuses unknown keys
// (ERR0211), missing keys (ERR0213) and keys that contradict each other (ERR0222).
import { shown, quoted } from '../../check/problem-report.ts';
import { below, childOf, type Node, sourceFile } from '../../read/node.ts';
import { didYouMean, nearest } from '../../../streams/views/nearest.ts';
import {
  reportAt,
  reportAtKey,
  spotBelow,
  type DecodeContext,
  type Decoder,
  type JsonSchema,
  type Spot,
} from './decoder.ts';
import { type Field, NESTED, objectSchema } from './fields.ts';

type Fields = Readonly<Record<string, Field<unknown>>>;

type ValueOf<F> = F extends Field<infer T> ? T : never;

/** The name of a key in the decoded object: `memory_max` becomes `memoryMax`. */
type Name<K extends string> = K extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Name<Tail>>}`
  : K;

type OptionalKeys<F extends Fields> = {
  [K in keyof F]: F[K] extends Field<unknown, 'optional'> ? K : never;
}[keyof F];

/** The decoded object, with keys in camel case. An optional key may be absent. */
type Decoded<F extends Fields> = {
  readonly [K in Exclude<keyof F, OptionalKeys<F>> & string as Name<K>]: ValueOf<F[K]>;
} & {
  readonly [K in OptionalKeys<F> & string as Name<K>]?: ValueOf<F[K]>;
};

const nameOf = (key: string): string =>
  key.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Returns the manifest key of a decoded field: `on_start` for `onStart`. */
export const keyOf = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

interface Table<F extends Fields> {
  /** The name of the object in the documentation and the schema. */
  readonly name: string;
  readonly fields: F;
  /** Pairs of keys of the object that exclude each other. */
  readonly exclusive?: readonly (readonly [keyof F & string, keyof F & string])[];
  /** Keys of the object of which at least one is required. */
  readonly anyOf?: readonly (keyof F & string)[];
  /** Advice for unknown keys that belong to another place of the manifest. */
  readonly elsewhere?: Readonly<Record<string, string>>;
  /** Advice for a value that is not a map, and for unknown keys without better advice. */
  readonly hint?: string;
  /** Checks that several fields fit together. */
  readonly check?: (decoded: Decoded<F>, spot: Spot, context: DecodeContext) => void;
}

export interface ObjectDecoder<F extends Fields> extends Decoder<Decoded<F>> {
  readonly table: Table<F>;
}

const NOWHERE = sourceFile('', '');
const EMPTY: Node = { tag: 'map', entries: [], file: NOWHERE, offset: 0, weight: 1 };

const fallbackNode = (field: Field<unknown>): Node => {
  const { fallback } = field;
  if (fallback === NESTED || fallback === undefined) return EMPTY;
  return { ...EMPTY, tag: 'scalar', value: fallback, source: String(fallback) };
};

const hasTable = (decoder: Decoder<unknown>): decoder is ObjectDecoder<Fields> => 'table' in decoder;

/** Returns advice for an unknown key that exactly one nested object has. */
const hintBelow = (key: string, fields: Fields): string | undefined => {
  const homes = Object.entries(fields).filter(
    ([, { decoder }]) => hasTable(decoder) && Object.hasOwn(decoder.table.fields, key),
  );
  return homes.length === 1 ? `it stands under ${homes[0]?.[0]}.${key}` : undefined;
};

const hintFor = <F extends Fields>(
  key: string,
  { fields, elsewhere = {}, hint }: Table<F>,
): string | undefined => {
  const known = new Map(Object.entries(elsewhere));
  return (
    known.get(key) ??
    hintBelow(key, fields) ??
    didYouMean(key, Object.keys(fields)) ??
    known.get(nearest(key, [...known.keys()]) ?? '') ??
    hint
  );
};

const refuseUnknown = <F extends Fields>(table: Table<F>, spot: Spot, context: DecodeContext): void => {
  if (spot.node.tag !== 'map') return;
  for (const { key, keyAt } of spot.node.entries) {
    if (Object.hasOwn(table.fields, key)) continue;
    const message = `${quoted(key)} is not a key of ${table.name}`;
    const hint = (): string | undefined => hintFor(key, table);
    context.report.add({ path: below(spot.path, key), place: keyAt }, { code: 'ERR0211', message, hint });
  }
};

const refuseTogether = <F extends Fields>(table: Table<F>, spot: Spot, context: DecodeContext): void => {
  for (const [one, other] of table.exclusive ?? []) {
    if (childOf(spot.node, one) === undefined || childOf(spot.node, other) === undefined) continue;
    reportAtKey(spotBelow(spot, other), context, {
      code: 'ERR0222',
      message: `${one} and ${other} exclude each other`,
    });
  }
  const choices = table.anyOf ?? [];
  if (choices.length > 0 && !choices.some((key) => childOf(spot.node, key) !== undefined))
    reportAtKey(spot, context, { code: 'ERR0213', message: `needs ${choices.join(' or ')}` });
};

const defaultOf = (field: Field<unknown>, context: DecodeContext): unknown => {
  if (!context.defaults.has(field))
    context.defaults.set(field, field.decoder.decode({ node: fallbackNode(field), path: '' }, context));
  return context.defaults.get(field);
};

/** Returns the value of a field. A wrong value is replaced by the default, so that decoding continues. */
const decodeField = (
  key: string,
  field: Field<unknown>,
  { spot, context }: { spot: Spot; context: DecodeContext },
) => {
  const entry = childOf(spot.node, key);
  const path = below(spot.path, key);
  if (entry === undefined && field.presence === 'required')
    reportAtKey({ ...spot, path }, context, {
      code: 'ERR0213',
      message: `the key ${quoted(key)} is missing`,
    });
  const written =
    entry === undefined
      ? undefined
      : field.decoder.decode({ node: entry.value, path, keyAt: entry.keyAt }, context);
  return written === undefined && field.presence === 'defaulted' ? defaultOf(field, context) : written;
};

const decodeTable = <F extends Fields>(
  table: Table<F>,
  spot: Spot,
  context: DecodeContext,
): Decoded<F> | undefined => {
  refuseUnknown(table, spot, context);
  refuseTogether(table, spot, context);
  const values: Record<string, unknown> = {};
  let isWhole = true;
  for (const [key, field] of Object.entries(table.fields)) {
    const value = decodeField(key, field, { spot, context });
    if (value !== undefined) values[nameOf(key)] = value;
    else if (field.presence !== 'optional') isWhole = false;
  }
  if (!isWhole) return undefined;
  // The decoders have checked these values, but the compiler cannot know that.
  const decoded = values as Decoded<F>;
  table.check?.(decoded, spot, context);
  return decoded;
};

export const object = <F extends Fields>(table: Table<F>): ObjectDecoder<F> => ({
  table,
  label: `${table.name} object`,
  schema: (definitions) => {
    const reference: JsonSchema = { $ref: `#/definitions/${table.name}` };
    if (!definitions.has(table.name)) {
      definitions.set(table.name, {});
      definitions.set(table.name, objectSchema(table, definitions));
    }
    return reference;
  },
  decode: (spot, context) => {
    if (spot.node.tag === 'broken') return undefined;
    if (spot.node.tag === 'map') return decodeTable(table, spot, context);
    reportAt(spot, context, {
      code: 'ERR0213',
      message: `${shown(spot.node)} is not a map`,
      hint: table.hint,
    });
    return undefined;
  },
});
