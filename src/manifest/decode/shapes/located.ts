// A value with its spot, to be checked later together with others.
import type { Decoder, Spot } from './decoder.ts';

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
