// What a decoder yields: the shape "as declared" that resolving starts from.
import type { Decoder } from '../decode/shapes/decoder.ts';

export type ValueOf<D> = D extends Decoder<infer T> ? T : never;
