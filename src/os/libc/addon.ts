// Loads the native parts of ffi-napi and ref-napi without their JavaScript, which takes 30 ms to load and
// allocates buffers with each call. For a C function this file keeps a frame in memory: a little-endian
// 64-bit word for each argument, a word for the result, and the addresses of the argument words, which libffi
// needs.
//
// A package of sup contains both addons, compiled for common machines (`prebuilds`). If they do not fit this
// machine, the addons that npm compiled when it installed ffi-napi are loaded
// (`docs/decisions/127-packages-bring-the-addon-compiled.md`).
import { closeSync, existsSync, openSync, readFileSync, readSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { messageOf } from '../../streams/domain/errors/thrown.ts';
import { troubleWithRootsPlace } from '../files/trusted-directories.ts';

/** The arguments of libffi's `ffi_call`. `places`: the addresses of the argument words. */
type FfiArguments = readonly [cif: Buffer, symbol: Buffer, result: Buffer, places: Buffer];
type Signature = readonly [cif: Buffer, count: number, result: Buffer, types: Buffer, abi: number];

/** The used parts of ffi-napi's addon, which calls C functions through libffi. */
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

/** The used parts of ref-napi's addon, which gives access to memory by address. */
interface Memory {
  /** Returns the address of a Buffer. */
  readonly address: (buffer: Buffer) => number;
  /** Returns a Buffer over the memory that the pointer at `offset` of `buffer` points to. */
  readonly readPointer: (buffer: Buffer, offset: number, length: number) => Buffer;
}

/** Which addon was loaded. */
export interface AddonOrigin {
  readonly kind: 'prebuilt' | 'compiled';
  readonly path: string;
  /** Why the prebuilt addon was not loaded. Absent if it was loaded, or if there is none for this machine. */
  readonly refused?: string;
}

export interface Native {
  readonly addon: Addon;
  readonly memory: Memory;
  readonly origin: AddonOrigin;
}

/** Resolves package names to paths. Tests pass a function that fails. */
export interface Require {
  readonly resolve: (name: string) => string;
}

/**
 * The function of the package node-gyp-build. It loads the addon that was compiled in a package's directory.
 */
type Load = ((directory: string) => unknown) & { readonly resolve: (directory: string) => string };

const BEGUN = Symbol.for('sup.ffi-napi.begun');

interface Uninitialised {
  readonly initializeBindings: (instance: unknown) => Addon;
  [BEGUN]?: Addon | undefined;
}

/**
 * Initialises the addon once per process, even if this file is loaded several times. The addon registers a
 * handle in the event loop. If the handle were registered twice, the event loop would never end.
 */
const begun = (ffi: Uninitialised, instance: unknown): Addon => {
  const addon = ffi[BEGUN] ?? ffi.initializeBindings(instance);
  ffi[BEGUN] = addon;
  return addon;
};

const compiled = (require: Require): Native => {
  // Node 20's `realpathSync` has a bug: if a FIFO or a socket was examined before, it may not resolve a link,
  // because it reads the result of that earlier stat. The `native` variant uses the C library and is correct.
  const ffi = dirname(realpathSync.native(require.resolve('ffi-napi/package.json')));
  // The dependencies of ffi-napi are resolved from its own directory.
  const within = createRequire(`${ffi}/`);
  const load = within('node-gyp-build') as Load;
  const ref = load(dirname(within.resolve('@2060.io/ref-napi/package.json')));
  return nativeOf(ref, load(ffi), { kind: 'compiled', path: load.resolve(ffi) });
};

const nativeOf = (ref: unknown, ffi: unknown, origin: AddonOrigin): Native => {
  const memory = ref as Memory & { readonly instance: unknown };
  return { addon: begun(ffi as Uninitialised, memory.instance), memory, origin };
};

const HEAD_BYTES = 4096;

/**
 * True if this Node was built for the C library musl. The beginning of its executable file contains the path
 * of the dynamic loader, which names the C library.
 */
const usesMusl = (): boolean => {
  const head = Buffer.alloc(HEAD_BYTES);
  try {
    const node = openSync(process.execPath, 'r');
    readSync(node, head);
    closeSync(node);
  } catch {
    return false;
  }
  return head.includes('/ld-musl-');
};

/**
 * Returns the name of this machine's directory in `prebuilds`, made of Node's names of system and processor.
 */
const prebuiltPlatform = (): string => `${process.platform}-${process.arch}${usesMusl() ? '-musl' : ''}`;

/**
 * The file names of the two addons in the directory of this machine. That directory also has a copy of each
 * file, named `*.copy`.
 */
const [FFI, REF] = ['ffi-napi.node', 'ref-napi.node'];

/**
 * Paths of `prebuilds`, relative to the directory of the program. The first path is for an installation. The
 * second is for a program that was copied together with `prebuilds` into one directory.
 */
const PREBUILDS = ['../prebuilds', 'prebuilds'];

/**
 * Returns the path of the prebuilt ffi-napi for this machine, or `undefined` if there is none. `directory`:
 * the directory of the program.
 */
export const prebuiltAddon = (directory: string): string | undefined => {
  const platform = prebuiltPlatform();
  const path = PREBUILDS.map((place) => join(directory, place, platform, FFI)).find(existsSync);
  return path && realpathSync.native(path);
};

/**
 * Loads a file of `prebuilds`. The file is first compared with its copy, because a damaged addon can crash
 * the process. Root does not load a file that another user can change.
 */
const loadWhole = (path: string): unknown => {
  const trouble = troubleWithRootsPlace(path);
  if (trouble !== undefined) throw new Error(`${path}: ${trouble}`);
  if (!readFileSync(path).equals(readFileSync(`${path}.copy`)))
    throw new Error(`${path}: it is damaged, as it differs from its copy`);
  try {
    return createRequire(path)(path);
  } catch (error) {
    throw new Error(`${path}: it does not fit this machine (${messageOf(error)})`, { cause: error });
  }
};

const prebuilt = (path: string): Native => {
  const ref = loadWhole(join(dirname(path), REF));
  return nativeOf(ref, loadWhole(path), { kind: 'prebuilt', path });
};

/** Loads both addons. Throws if they are neither prebuilt for this machine nor compiled. */
export const loadNative = (require: Require, directory: string): Native => {
  const path = prebuiltAddon(directory);
  if (path === undefined) return compiled(require);
  try {
    return prebuilt(path);
  } catch (error) {
    return insteadOf(messageOf(error), require);
  }
};

const insteadOf = (refused: string, require: Require): Native => {
  try {
    const native = compiled(require);
    return { ...native, origin: { ...native.origin, refused } };
  } catch (error) {
    throw new Error(`${refused}; ${messageOf(error)}`, { cause: error });
  }
};

const WORD = 8;

type CValue = number | Buffer | null;
type AddressOf = (buffer: Buffer) => number;

export interface Frame {
  readonly words: Buffer;
  /** The address of each argument word, as libffi expects them. */
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
