// The door to the C library, for what Node has no word for: the only file that knows ffi-napi. The package is loaded
// with the first call of `openLibc`, not with this file; where it is missing that is an answer, not an exception.
import { createRequire } from 'node:module';
import { getSystemErrorName } from 'node:util';

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
  /** What `errno` said right after the call; it means something only when the value is the function's word for failure. */
  readonly errno: number;
}

export interface Libc {
  /** Calls it and says what it answered. */
  ask(what: CFunction, ...args: readonly CValue[]): Answer;
  /** Calls a function that answers -1 when it refuses; throws `Refused` then. */
  call(what: CFunction, ...args: readonly CValue[]): number;
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

/** `EPERM` for 1. */
export const errnoName = (errno: number): string =>
  errno > 0 ? getSystemErrorName(-errno) : `errno ${errno}`;

export const cFunction = (
  result: CFunction['result'],
  name: string,
  ...args: readonly CType[]
): CFunction => ({ name, result, args });

export type OpenedLibc =
  | { readonly tag: 'open'; readonly libc: Libc }
  /** Why there is none. */
  | { readonly tag: 'absent'; readonly detail: string };

type Bound = (...args: readonly CValue[]) => number | string | null;

/** As much of the package as is used here; its own declarations speak of types that are computed from literals. */
interface Ffi {
  errno(): number;
  DynamicLibrary: new (file: null) => { get(name: string): Buffer };
  ForeignFunction: (symbol: Buffer, result: string, args: readonly string[]) => Bound;
}

/** How the package is reached; a test hands in one that cannot be. */
type Require = (name: string) => unknown;

export const libcOf = (opened: OpenedLibc): Libc | undefined =>
  opened.tag === 'open' ? opened.libc : undefined;

/** What to do where it is absent. */
export const INSTALL_FFI =
  'npm install --include=optional (the package ffi-napi has to be compiled for this machine)';

/** Each call looks up the package anew; keep what it answers. */
export const openLibc = (require: Require = createRequire(import.meta.url)): OpenedLibc => {
  try {
    return { tag: 'open', libc: bindings(require('ffi-napi') as Ffi) };
  } catch (error) {
    const [why = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    return { tag: 'absent', detail: why };
  }
};

const bindings = (ffi: Ffi): Libc => {
  const program = new ffi.DynamicLibrary(null);
  // By declaration, not by name: `prctl` and `syscall` are declared once for each way of calling them.
  const bound = new WeakMap<CFunction, Bound>();
  const bind = (what: CFunction): Bound => {
    const known = bound.get(what);
    if (known !== undefined) return known;
    const made = ffi.ForeignFunction(program.get(what.name), what.result, what.args);
    bound.set(what, made);
    return made;
  };
  const ask = (what: CFunction, ...args: readonly CValue[]): Answer => {
    const value = bind(what)(...args);
    return { value: Number(value ?? 0), errno: ffi.errno() };
  };
  return {
    ask,
    call: (what, ...args) => {
      const { value, errno } = ask(what, ...args);
      if (value === -1) throw new Refused(what.name, errno);
      return value;
    },
  };
};
