// A value that is judged later, with the others: it keeps the spot where it stands.
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
