// The native parts of ffi-napi and ref-napi, without their JavaScript. That brings a logger, an assertion
// library and its own types, takes 30 ms to load and allocates buffers with each call. The frame of one C
// call is a little-endian word for each argument and for the result, and the addresses of the argument words,
// which libffi takes.
import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';

/** A call by libffi: the places of its arguments and of its result. */
type FfiArguments = readonly [cif: Buffer, symbol: Buffer, result: Buffer, places: Buffer];
type Signature = readonly [cif: Buffer, count: number, result: Buffer, types: Buffer, abi: number];

/** libffi, as exposed by the addon of ffi-napi. */
interface Addon {
  readonly ffi_call: (...call: FfiArguments) => void;
  readonly ffi_call_async: (...call: [...FfiArguments, done: (error: unknown) => void]) => void;
  /** Fills `cif`; returns 0 on success. */
  readonly ffi_prep_cif: (...signature: Signature) => number;
  /** In bytes. */
  readonly FFI_CIF_SIZE: number;
  readonly FFI_DEFAULT_ABI: number;
  readonly FFI_TYPES: Readonly<Record<string, Buffer>>;
  readonly StaticFunctions: { readonly _errno: Buffer; readonly dlsym: Buffer };
}

/** Memory by address, as exposed by the addon of ref-napi. */
interface Memory {
  /** The address of a Buffer. */
  readonly address: (buffer: Buffer) => number;
  /** A Buffer over the memory that the pointer at `offset` points to. */
  readonly readPointer: (buffer: Buffer, offset: number, length: number) => Buffer;
}

export interface Native {
  readonly addon: Addon;
  readonly memory: Memory;
}

/** Resolves packages; a test passes one that fails. */
export interface Require {
  readonly resolve: (name: string) => string;
}

type Load = (directory: string) => unknown;

const BEGUN = Symbol.for('sup.ffi-napi.begun');

interface Uninitialised {
  readonly initializeBindings: (instance: unknown) => Addon;
  [BEGUN]?: Addon | undefined;
}

/**
 * Initialises the addon once in a process, however often this file is loaded. It registers a handle in the
 * event loop, and a second registration of the same handle keeps the loop alive for ever.
 */
const begun = (ffi: Uninitialised, instance: unknown): Addon => {
  const addon = ffi[BEGUN] ?? ffi.initializeBindings(instance);
  ffi[BEGUN] = addon;
  return addon;
};

/** Throws if a package is missing or was not compiled. */
export const loadNative = (require: Require): Native => {
  // After a stat of a FIFO or a socket, Node 20 resolves a package at a link to the link itself. Its
  // `realpathSync` reads what the last `stat` left, that of the C library does not.
  const ffi = dirname(realpathSync.native(require.resolve('ffi-napi/package.json')));
  // Its dependencies are resolved from its directory.
  const within = createRequire(`${ffi}/`);
  const load = within('node-gyp-build') as Load;
  const ref = load(dirname(within.resolve('@2060.io/ref-napi/package.json')));
  const memory = ref as Memory & { readonly instance: unknown };
  return { addon: begun(load(ffi) as Uninitialised, memory.instance), memory };
};

const WORD = 8;

type CValue = number | Buffer | null;
type AddressOf = (buffer: Buffer) => number;

export interface Frame {
  readonly words: Buffer;
  /** The address of each word. */
  readonly places: Buffer;
  readonly result: Buffer;
}

/** Writes a signed or unsigned 64-bit word of which at most 53 bits are used. */
export const writeWord = (buffer: Buffer, at: number, value: number): void => {
  buffer.writeUInt32LE(value >>> 0, at);
  buffer.writeInt32LE(Math.floor(value / 2 ** 32) | 0, at + 4);
};

export const frameFor = (count: number, addressOf: AddressOf): Frame => {
  const words = Buffer.alloc(Math.max(1, count) * WORD);
  const places = Buffer.alloc(words.length);
  const base = addressOf(words);
  for (let at = 0; at < count; at += 1) writeWord(places, at * WORD, base + at * WORD);
  return { words, places, result: Buffer.alloc(WORD) };
};

/** Passes Buffers by address: the caller must hold them until the call returns. */
export const fillFrame = ({ words }: Frame, args: readonly CValue[], addressOf: AddressOf): void => {
  args.forEach((arg, at) => {
    if (typeof arg === 'number') writeWord(words, at * WORD, arg);
    else writeWord(words, at * WORD, arg === null ? 0 : addressOf(arg));
  });
};

export const answerIn = ({ result }: Frame, type: 'int' | 'long' | 'void'): number => {
  if (type === 'void') return 0;
  return type === 'int' ? result.readInt32LE(0) : Number(result.readBigInt64LE(0));
};
