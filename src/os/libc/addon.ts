// Loads the native parts of ffi-napi and ref-napi without their JavaScript, which takes 30 ms to load and
// allocates buffers with each call. For one C call this file keeps a frame: a little-endian 64-bit word for
// each argument, a word for the result, and the addresses of the argument words, which libffi needs.
import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';

/** The arguments of libffi's `ffi_call`. `places`: the addresses of the argument words. */
type FfiArguments = readonly [cif: Buffer, symbol: Buffer, result: Buffer, places: Buffer];
type Signature = readonly [cif: Buffer, count: number, result: Buffer, types: Buffer, abi: number];

/** The parts of ffi-napi's addon that are used: libffi. */
interface Addon {
  readonly ffi_call: (...call: FfiArguments) => void;
  readonly ffi_call_async: (...call: [...FfiArguments, done: (error: unknown) => void]) => void;
  /** Initialises `cif`, which describes the types of a C function to libffi. Returns 0 on success. */
  readonly ffi_prep_cif: (...signature: Signature) => number;
  /** Size of a `cif` (libffi's description of a C function's types), bytes. */
  readonly FFI_CIF_SIZE: number;
  readonly FFI_DEFAULT_ABI: number;
  readonly FFI_TYPES: Readonly<Record<string, Buffer>>;
  readonly StaticFunctions: { readonly _errno: Buffer; readonly dlsym: Buffer };
}

/** The parts of ref-napi's addon that are used: access to memory by address. */
interface Memory {
  /** Returns the address of a Buffer. */
  readonly address: (buffer: Buffer) => number;
  /** Returns a Buffer over the memory that the pointer at `offset` of `buffer` points to. */
  readonly readPointer: (buffer: Buffer, offset: number, length: number) => Buffer;
}

export interface Native {
  readonly addon: Addon;
  readonly memory: Memory;
}

/** Resolves package names to paths. A test passes one that fails. */
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
 * Initialises the addon once per process, even if this file is loaded several times. It registers a handle in
 * the event loop; registering the same handle again would keep the loop alive for ever.
 */
const begun = (ffi: Uninitialised, instance: unknown): Addon => {
  const addon = ffi[BEGUN] ?? ffi.initializeBindings(instance);
  ffi[BEGUN] = addon;
  return addon;
};

/** Loads both addons. Throws if a package is missing or was not compiled. */
export const loadNative = (require: Require): Native => {
  // Node 20's `realpathSync` has a bug: after a stat of a FIFO or a socket it may return a link unresolved,
  // because it reads the result of that stat. The `native` variant uses the C library and is correct.
  const ffi = dirname(realpathSync.native(require.resolve('ffi-napi/package.json')));
  // The dependencies of ffi-napi are resolved from its own directory.
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
  /** The address of each argument word, which libffi takes. */
  readonly places: Buffer;
  readonly result: Buffer;
}

/** Writes a signed or unsigned integer of at most 53 bits as a 64-bit word. */
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

/**
 * Writes the arguments into the frame. Buffers are passed by address, so the caller must keep them referenced
 * until the call returns.
 */
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
