// The door to the C library, for what Node has no word for. What it is called through is loaded with the first call of
// `openLibc`, not with this file; where it is missing that is an answer, not an exception.
import { createRequire } from 'node:module';
import { loadNative, type Native, type Require } from './libc/addon.ts';
import { answerIn, fillFrame, frameFor, writeWord, type Frame } from './libc/frame.ts';
import { errnoName } from './errno-name.ts';

/** How a C function is written down: `pointer` takes a Buffer or `null` (NULL). */
type CType = 'int' | 'uint' | 'long' | 'ulong' | 'pointer';
type CValue = number | Buffer | null;

/** In bytes. */
const POINTER = 8;

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
  /** The same Buffer, which is handed over again and again: from now on it is known where it lies. To ask takes longer than most calls. */
  hold(buffer: Buffer): Buffer;
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

export const cFunction = (
  result: CFunction['result'],
  name: string,
  ...args: readonly CType[]
): CFunction => ({ name, result, args });

export type OpenedLibc =
  | { readonly tag: 'open'; readonly libc: Libc }
  /** Why there is none. */
  | { readonly tag: 'absent'; readonly detail: string };

export const libcOf = (opened: OpenedLibc): Libc | undefined =>
  opened.tag === 'open' ? opened.libc : undefined;

/** What to do where it is absent. */
export const INSTALL_FFI =
  'npm run addon, in the directory of sup: it compiles ffi-napi, or says what is missing';

/** Each call looks up the package anew; keep what it answers. */
export const openLibc = (require: Require = createRequire(import.meta.url)): OpenedLibc => {
  try {
    return { tag: 'open', libc: bindings(loadNative(require)) };
  } catch (error) {
    const [why = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    return { tag: 'absent', detail: why };
  }
};

interface Bound {
  readonly cif: Buffer;
  readonly symbol: Buffer;
  /** One call follows another: they all use the same. */
  readonly frame: Frame;
}

const ERRNO: CFunction = { name: 'errno', result: 'int', args: [] };

/** A Buffer does not move: of one that is handed over again and again it is asked once where it lies. */
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

const bindings = (native: Native): Libc => {
  const { addon } = native;
  const { address, hold } = placesOf(native);
  const symbolOf = symbols(native);
  const binder = binderOf(native, symbolOf);
  const errno = errnoOf(native);
  // What calls on other threads work on is to stay where it is.
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
    hold,
  };
};

/** By declaration, not by name: `prctl` and `syscall` are declared once for each way of calling them. */
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

/** What libffi calls the types of C on a machine of 64 bits. */
const TYPES = { long: 'longlong', ulong: 'ulonglong' } as const;

const typeOf = ({ addon }: Native, name: CType | CFunction['result']): Buffer => {
  const type = addon.FFI_TYPES[name === 'long' || name === 'ulong' ? TYPES[name] : name];
  if (type === undefined) throw new Error(`libffi has no type ${name}`);
  return type;
};

/** What is kept beside each of them: libffi holds on to where the types of the arguments lie. */
const typesOf = new WeakMap<Buffer, Buffer>();

/** How libffi is to call it. */
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

/** Among all that is loaded into this process. */
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
