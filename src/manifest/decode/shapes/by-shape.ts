// Fields that accept either a scalar or a table: `backoff`, `seccomp`, the entries of `depends_on`,
// `project`.
import type { Decoder } from './decoder.ts';

export const byShape = <S, M>(scalar: Decoder<S>, map: Decoder<M>): Decoder<S | M> => ({
  label: `${scalar.label} or ${map.label}`,
  schema: (definitions) => ({ anyOf: [scalar.schema(definitions), map.schema(definitions)] }),
  decode: (spot, context) =>
    spot.node.tag === 'map' ? map.decode(spot, context) : scalar.decode(spot, context),
});

/** The decoder with its value mapped to another. */
export const mapped = <A, B>(decoder: Decoder<A>, turn: (value: A) => B): Decoder<B> => ({
  ...decoder,
  decode: (spot, context) => {
    const value = decoder.decode(spot, context);
    return value === undefined ? undefined : turn(value);
  },
});
