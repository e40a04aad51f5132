// The door to the C library, for what Node has no word for: the only file that knows ffi-napi. The package is loaded
// with the first call of `openLibc`, not with this file; where it is missing that is an answer, not an exception.
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { getSystemErrorName } from 'node:util';
import { answerIn, fillFrame, frameFor, type Frame } from './libc/frame.ts';

/** How a C function is written down: `pointer` takes a Buffer or `null` (NULL). */
type CType = 'int' | 'uint' | 'long' | 'ulong' | 'pointer';
type CValue = number | Buffer | null;

interface CFunction {
  readonly name: string;
  readonly result: 'int' | 'long' | 'void';
  readonly args: readonly CType[];
}

interface Answer {
  readonly value: number;
  /** What `errno` said right after a call that answered -1; else 0. */
  readonly errno: number;
}

export interface Libc {
  /** Calls it and says what it answered. */
  ask(what: CFunction, ...args: readonly CValue[]): Answer;
  /** Calls a function that answers -1 when it refuses; throws `Refused` then. */
  call(what: CFunction, ...args: readonly CValue[]): number;
  /** Calls it on a thread of the pool, which it keeps until it answers. */
  askLater(what: CFunction, ...args: readonly CValue[]): Promise<number>;
  /** Whether this C library has a function of that name. */
  has(name: string): boolean;
  /** Where a Buffer lies: true as long as it is referenced. */
  addressOf(buffer: Buffer): number;
}

/** A system call that was refused; `code` is the name of `errno` as in Node's own errors. */
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

/** Those that Node's own calls never answer, `ENOEXEC` among them, its table of names does not have. */
const NAMES: ReadonlyMap<number, string> = new Map(
  Object.entries(constants.errno).map(([name, errno]) => [errno, name]),
);

/** `EPERM` for 1. */
export const errnoName = (errno: number): string => {
  if (errno <= 0) return `errno ${errno}`;
  const name = getSystemErrorName(-errno);
  return name.startsWith('E') ? name : (NAMES.get(errno) ?? `errno ${errno}`);
};

export const cFunction = (
  result: CFunction['result'],
  name: string,
  ...args: readonly CType[]
): CFunction => ({ name, result, args });

export type OpenedLibc =
  | { readonly tag: 'open'; readonly libc: Libc }
  /** Why there is none. */
  | { readonly tag: 'absent'; readonly detail: string };

/** A function of C as libffi calls it: where its arguments lie, and where its answer goes. */
type FfiCall = (...call: FfiArguments) => void;
type FfiArguments = readonly [cif: Buffer, symbol: Buffer, result: Buffer, places: Buffer];
type FfiCallLater = (...call: [...FfiArguments, done: (error: unknown) => void]) => void;

interface Library {
  get(name: string): Buffer;
}

/** As much of the package as is used here; its own declarations speak of types that are computed from literals. */
interface Ffi {
  DynamicLibrary: new (file: null) => Library;
  CIF: (result: string, args: readonly string[]) => Buffer;
}

/** What lies under it: its functions make buffers and look up types with each call, which takes five times as long. */
interface FfiBindings {
  ffi_call: FfiCall;
  ffi_call_async: FfiCallLater;
  StaticFunctions: { readonly _errno: Buffer };
}

/** The package beside it that knows where a Buffer lies. */
interface Ref {
  readonly address: (buffer: Buffer) => number;
}

/** How the package is reached; a test hands in one that cannot be. */
type Require = (name: string) => unknown;

export const libcOf = (opened: OpenedLibc): Libc | undefined =>
  opened.tag === 'open' ? opened.libc : undefined;

const ownRequire: Require = (name) => {
  const require = createRequire(import.meta.url);
  // What it brings along is looked for where it is.
  return name.startsWith('ffi-napi') ? require(name) : createRequire(require.resolve('ffi-napi'))(name);
};

/** What to do where it is absent. */
export const INSTALL_FFI =
  'npm install --include=optional (the package ffi-napi has to be compiled for this machine)';

/** Each call looks up the package anew; keep what it answers. */
export const openLibc = (require: Require = ownRequire): OpenedLibc => {
  try {
    const ffi = require('ffi-napi') as Ffi;
    const raw = require('ffi-napi/lib/bindings') as FfiBindings;
    const { address } = require('@2060.io/ref-napi') as Ref;
    return { tag: 'open', libc: bindings({ ffi, raw, address }) };
  } catch (error) {
    const [why = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    return { tag: 'absent', detail: why };
  }
};

interface Package {
  readonly ffi: Ffi;
  readonly raw: FfiBindings;
  readonly address: Ref['address'];
}

interface Bound {
  readonly cif: Buffer;
  readonly symbol: Buffer;
  /** One call follows another: they all use the same. */
  readonly frame: Frame;
}

const ERRNO: CFunction = { name: 'errno', result: 'int', args: [] };

const bindings = (parts: Package): Libc => {
  const { raw, address } = parts;
  const program = new parts.ffi.DynamicLibrary(null);
  const binder = binderOf(parts, program);
  const errno = errnoOf(parts);
  // What calls on other threads work on is to stay where it is.
  const held = new Set<readonly CValue[]>();
  const ask = (what: CFunction, ...args: readonly CValue[]): Answer => {
    const { cif, symbol, frame } = binder(what);
    fillFrame(frame, args, address);
    raw.ffi_call(cif, symbol, frame.result, frame.places);
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
        raw.ffi_call_async(cif, symbol, frame.result, frame.places, (error) => {
          held.delete(args);
          if (error instanceof Error) reject(error);
          else resolve(answerIn(frame, what.result));
        });
      }),
    has: (name) => isThere(program, name),
    addressOf: address,
  };
};

/** By declaration, not by name: `prctl` and `syscall` are declared once for each way of calling them. */
const binderOf = ({ ffi, address }: Package, program: Library): ((what: CFunction) => Bound) => {
  const bound = new WeakMap<CFunction, Bound>();
  return (what) => {
    const known = bound.get(what);
    if (known !== undefined) return known;
    const cif = ffi.CIF(what.result, what.args);
    const made = { cif, symbol: program.get(what.name), frame: frameFor(what.args.length, address) };
    bound.set(what, made);
    return made;
  };
};

const errnoOf = ({ ffi, raw, address }: Package): (() => number) => {
  const cif = ffi.CIF(ERRNO.result, ERRNO.args);
  const frame = frameFor(0, address);
  return () => {
    raw.ffi_call(cif, raw.StaticFunctions._errno, frame.result, frame.places);
    return answerIn(frame, 'int');
  };
};

const isThere = (program: Library, name: string): boolean => {
  try {
    program.get(name);
    return true;
  } catch {
    return false;
  }
};
