// The native halves of ffi-napi and of ref-napi, without the JavaScript around them: that brings a logger, an assertion
// library and types of its own along, which take thirty milliseconds to load and make buffers with each call.
import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';

/** A function of C as libffi calls it: where its arguments lie, and where its answer goes. */
type FfiArguments = readonly [cif: Buffer, symbol: Buffer, result: Buffer, places: Buffer];
type Signature = readonly [cif: Buffer, count: number, result: Buffer, types: Buffer, abi: number];

/** libffi, as the addon of ffi-napi has it. */
interface Addon {
  readonly ffi_call: (...call: FfiArguments) => void;
  readonly ffi_call_async: (...call: [...FfiArguments, done: (error: unknown) => void]) => void;
  /** Fills `cif`; answers 0 when that could be done. */
  readonly ffi_prep_cif: (...signature: Signature) => number;
  /** In bytes. */
  readonly FFI_CIF_SIZE: number;
  readonly FFI_DEFAULT_ABI: number;
  readonly FFI_TYPES: Readonly<Record<string, Buffer>>;
  readonly StaticFunctions: { readonly _errno: Buffer; readonly dlsym: Buffer };
}

/** Memory by address, as the addon of ref-napi has it. */
interface Memory {
  /** Where a Buffer lies. */
  readonly address: (buffer: Buffer) => number;
  /** A Buffer over what the pointer at `offset` points to. */
  readonly readPointer: (buffer: Buffer, offset: number, length: number) => Buffer;
}

export interface Native {
  readonly addon: Addon;
  readonly memory: Memory;
}

/** How packages are reached; a test hands in one that cannot be. */
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
 * Once in a process, however often this file is loaded into it: the addon puts a handle of its own into the event loop,
 * and a second time the same one, after which the loop never ends.
 */
const begun = (ffi: Uninitialised, instance: unknown): Addon => {
  const addon = ffi[BEGUN] ?? ffi.initializeBindings(instance);
  ffi[BEGUN] = addon;
  return addon;
};

/** Throws where a package is missing or was not compiled. */
export const loadNative = (require: Require): Native => {
  // Once it has looked at a FIFO or a socket, Node 20 resolves a package behind a link to the link: its `realpathSync` reads what
  // the last `stat` has left behind, that of the C library does not.
  const ffi = dirname(realpathSync.native(require.resolve('ffi-napi/package.json')));
  // What it brings along is looked for where it is.
  const within = createRequire(`${ffi}/`);
  const load = within('node-gyp-build') as Load;
  const ref = load(dirname(within.resolve('@2060.io/ref-napi/package.json')));
  const memory = ref as Memory & { readonly instance: unknown };
  return { addon: begun(load(ffi) as Uninitialised, memory.instance), memory };
};
