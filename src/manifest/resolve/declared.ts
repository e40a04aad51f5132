// The type of a decoder's result: the shape "as declared" from which resolving starts.
import type { Decoder } from '../decode/shapes/decoder.ts';

export type ValueOf<D> = D extends Decoder<infer T> ? T : never;
