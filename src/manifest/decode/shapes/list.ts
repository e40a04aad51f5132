// Lists with one type of entry.
import { shown } from '../../check/quote.ts';
import { complain, type Decoder } from './decoder.ts';

interface Rules {
  readonly min?: number;
  readonly max?: number;
  /** The allowed number in words: `exactly 2 entries`. */
  readonly count?: string;
}

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
        complain(spot, context, { code: 'ERR0213', message: `${shown(node)} is not a list` });
        return undefined;
      }
      if (node.items.length < min || node.items.length > max) {
        complain(spot, context, {
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
