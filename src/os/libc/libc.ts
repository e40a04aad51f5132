// Calls functions of the C library. `openLibc` loads the native addon for that. If the addon cannot be
// loaded, `openLibc` returns the reason.
import { createRequire } from 'node:module';
import {
  type AddonOrigin,
  answerIn,
  fillFrame,
  type Frame,
  frameFor,
  loadNative,
  type Native,
  type Require,
  writeWord,
} from './addon.ts';
import { errnoName } from '../errno.ts';

/** The C type of an argument. `pointer` takes a Buffer or `null` (NULL). */
type CType = 'int' | 'uint' | 'long' | 'ulong' | 'pointer';
type CValue = number | Buffer | null;

/** Size of a pointer, bytes. */
const POINTER = 8;

export interface CFunction {
  readonly name: string;
  readonly result: 'int' | 'long' | 'void';
  readonly args: readonly CType[];
}

interface Answer {
  readonly value: number;
  /** `errno` if the call returned -1; otherwise 0. */
  readonly errno: number;
}

export interface Libc {
  /** Calls the function and returns its result and `errno`. */
  ask(what: CFunction, ...args: readonly CValue[]): Answer;
  /** Calls a function that returns -1 on failure. Returns its result; throws `Refused` on failure. */
  call(what: CFunction, ...args: readonly CValue[]): number;
  /** Calls the function on a pool thread, which is busy until the call returns. */
  askLater(what: CFunction, ...args: readonly CValue[]): Promise<number>;
  /** True if this C library has a function of that name. */
  has(name: string): boolean;
  /** Returns the address of a Buffer, valid as long as the Buffer is referenced. */
  addressOf(buffer: Buffer): number;
  /** Returns a Buffer over C memory at an address. The memory must never be freed. */
  memoryAt(address: number, bytes: number): Buffer;
  /** Caches the address of a Buffer that is passed repeatedly: a look-up takes longer than most calls. */
  hold(buffer: Buffer): Buffer;
}

/** Thrown if a C call failed. `code` is the name of `errno`, as in Node's own errors. */
export class Refused extends Error {
  readonly call: string;
  readonly errno: number;
  readonly code: string;

  constructor(call: string, errno: number) {
    const code = errnoName(errno);
    super(`${call}: ${code}`);
    this.call = call;
    this.errno = errno;
    this.code = code;
  }
}

export const cFunction = (
  result: CFunction['result'],
  name: string,
  ...args: readonly CType[]
): CFunction => ({ name, result, args });

export type OpenedLibc =
  | { readonly tag: 'open'; readonly libc: Libc; readonly origin: AddonOrigin }
  /** The library cannot be called; `detail` says why. */
  | { readonly tag: 'absent'; readonly detail: string };

export const libcOf = (opened: OpenedLibc): Libc | undefined =>
  opened.tag === 'open' ? opened.libc : undefined;

/** Advice for the user if the addon is missing. */
export const INSTALL_FFI = 'in a clone: npm run addon; in any other installation, look at: sup doctor';

/** The reason that is given if the user has forbidden to call the C library. */
export const SWITCHED_OFF = 'SUP_FFI is off';

/** Returns advice for the user if the C library cannot be called. `absence`: why it cannot. */
export const callsHint = (absence: string): string =>
  absence === SWITCHED_OFF ? 'start the supervisor without SUP_FFI=off' : INSTALL_FFI;

/**
 * Opens the C library. Each call loads the addon again, so keep the result. `directory`: the directory of the
 * program, from which a prebuilt addon is found.
 */
export const openLibc = (
  require: Require = createRequire(import.meta.url),
  directory = import.meta.dirname,
): OpenedLibc => {
  try {
    const native = loadNative(require, directory);
    return { tag: 'open', libc: bindings(native), origin: native.origin };
  } catch (error) {
    const [why = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    return { tag: 'absent', detail: why };
  }
};

interface Bound {
  readonly cif: Buffer;
  readonly symbol: Buffer;
  /** Memory for arguments and result. All calls of the function share it, because they never overlap. */
  readonly frame: Frame;
}

const ERRNO: CFunction = { name: 'errno', result: 'int', args: [] };

/** Returns functions to get and to cache the address of a Buffer. Caching is safe: Buffers do not move. */
const placesOf = ({
  memory,
}: Native): { readonly address: (buffer: Buffer) => number; readonly hold: Libc['hold'] } => {
  const known = new WeakMap<Buffer, number>();
  return {
    address: (buffer) => known.get(buffer) ?? memory.address(buffer),
    hold: (buffer) => {
      known.set(buffer, memory.address(buffer));
      return buffer;
    },
  };
};

const memoryAt = ({ memory }: Native, address: number, bytes: number): Buffer => {
  const pointer = Buffer.alloc(POINTER);
  writeWord(pointer, 0, address);
  return memory.readPointer(pointer, 0, bytes);
};

const bindings = (native: Native): Libc => {
  const { addon } = native;
  const { address, hold } = placesOf(native);
  const symbolOf = symbols(native);
  const binder = binderOf(native, symbolOf);
  const errno = errnoOf(native);
  // The arguments of calls on pool threads. Garbage collection must not free them during the call.
  const held = new Set<readonly CValue[]>();
  const ask = (what: CFunction, ...args: readonly CValue[]): Answer => {
    const { cif, symbol, frame } = binder(what);
    fillFrame(frame, args, address);
    addon.ffi_call(cif, symbol, frame.result, frame.places);
    const value = answerIn(frame, what.result);
    return { value, errno: value === -1 ? errno() : 0 };
  };
  return {
    ask,
    call: (what, ...args) => {
      const { value, errno: number } = ask(what, ...args);
      if (value === -1) throw new Refused(what.name, number);
      return value;
    },
    askLater: (what, ...args) =>
      new Promise((resolve, reject) => {
        const { cif, symbol } = binder(what);
        const frame = frameFor(what.args.length, address);
        fillFrame(frame, args, address);
        held.add(args);
        addon.ffi_call_async(cif, symbol, frame.result, frame.places, (error) => {
          held.delete(args);
          if (error instanceof Error) reject(error);
          else resolve(answerIn(frame, what.result));
        });
      }),
    has: (name) => symbolOf(name) !== undefined,
    addressOf: address,
    memoryAt: (at, bytes) => memoryAt(native, at, bytes),
    hold,
  };
};

/**
 * Returns a function that prepares a declared C function for calls. One name may have several declarations:
 * `prctl` and `syscall` have one for each list of argument types.
 */
const binderOf = (native: Native, symbolOf: SymbolOf): ((what: CFunction) => Bound) => {
  const bound = new WeakMap<CFunction, Bound>();
  return (what) => {
    const known = bound.get(what);
    if (known !== undefined) return known;
    const symbol = symbolOf(what.name);
    if (symbol === undefined) throw new Error(`the C library has no ${what.name}`);
    const frame = frameFor(what.args.length, native.memory.address);
    const made = { cif: interfaceOf(native, what), symbol, frame };
    bound.set(what, made);
    return made;
  };
};

/** The names of libffi for C types that differ in size between machines. Here these types have 64 bits. */
const TYPES = { long: 'longlong', ulong: 'ulonglong' } as const;

const typeOf = ({ addon }: Native, name: CType | CFunction['result']): Buffer => {
  const type = addon.FFI_TYPES[name === 'long' || name === 'ulong' ? TYPES[name] : name];
  if (type === undefined) throw new Error(`libffi has no type ${name}`);
  return type;
};

/** Keeps the argument types of each `ffi_cif` alive, because libffi stores a pointer to them. */
const typesOf = new WeakMap<Buffer, Buffer>();

/** Returns the call interface (`ffi_cif`) of a function for libffi. */
const interfaceOf = (native: Native, { name, result, args }: CFunction): Buffer => {
  const { addon, memory } = native;
  const cif = Buffer.alloc(addon.FFI_CIF_SIZE);
  const types = Buffer.alloc(Math.max(1, args.length) * POINTER);
  args.forEach((arg, at) => writeWord(types, at * POINTER, memory.address(typeOf(native, arg))));
  typesOf.set(cif, types);
  const refused = addon.ffi_prep_cif(cif, args.length, typeOf(native, result), types, addon.FFI_DEFAULT_ABI);
  if (refused !== 0) throw new Error(`libffi cannot call ${name} (${refused})`);
  return cif;
};

type SymbolOf = (name: string) => Buffer | undefined;

const DLSYM: CFunction = { name: 'dlsym', result: 'long', args: ['pointer', 'pointer'] };

/** Returns a function that looks up the address of a C function by its name, in all loaded libraries. */
const symbols = (native: Native): SymbolOf => {
  const { addon, memory } = native;
  const cif = interfaceOf(native, DLSYM);
  const frame = frameFor(DLSYM.args.length, memory.address);
  return (name) => {
    fillFrame(frame, [null, Buffer.from(`${name}\0`)], memory.address);
    addon.ffi_call(cif, addon.StaticFunctions.dlsym, frame.result, frame.places);
    return answerIn(frame, 'long') === 0 ? undefined : memory.readPointer(frame.result, 0, POINTER);
  };
};

const errnoOf = (native: Native): (() => number) => {
  const { addon, memory } = native;
  const cif = interfaceOf(native, ERRNO);
  const frame = frameFor(0, memory.address);
  return () => {
    addon.ffi_call(cif, addon.StaticFunctions._errno, frame.result, frame.places);
    return answerIn(frame, 'int');
  };
};
