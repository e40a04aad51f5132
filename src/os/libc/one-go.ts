// Calls several C functions in a row with no Node code between them: each on its own stack, which continues
// with the next (makecontext(3)). Their results are lost.
import { cFunction, type Libc } from '../libc.ts';
import { writeWord } from './frame.ts';
import { cString } from './memory.ts';

const DLSYM = cFunction('long', 'dlsym', 'pointer', 'pointer');
const GETCONTEXT = cFunction('int', 'getcontext', 'pointer');
const MAKECONTEXT = cFunction(
  'void',
  'makecontext',
  ...(['pointer', 'ulong', 'int'] as const),
  ...(['ulong', 'ulong', 'ulong', 'ulong', 'ulong', 'ulong'] as const),
);
const SWAPCONTEXT = cFunction('int', 'swapcontext', 'pointer', 'pointer');

/** The number that is passed in registers. */
const MOST_ARGUMENTS = 6;
/** More than glibc's `ucontext_t` (968 on x64, 4560 on arm64); its beginning is the same on both. */
const CONTEXT_BYTES = 8192;
const LINK_AT = 8;
const STACK_AT = 16;
const STACK_SIZE_AT = 32;
const STACK_BYTES = 65_536;

interface Call {
  readonly name: string;
  readonly args: readonly number[];
}

type InOneGo = (calls: readonly Call[]) => void;

/** Alignment of contexts and stacks: registers are saved there in units of up to 16 bytes. */
const ALIGNED = 64;

const alignedBuffer = (libc: Libc, length: number): Buffer => {
  const memory = Buffer.alloc(length + ALIGNED);
  const from = (ALIGNED - (libc.addressOf(memory) % ALIGNED)) % ALIGNED;
  return memory.subarray(from, from + length);
};

interface Place {
  readonly context: Buffer;
  readonly stack: Buffer;
}

/** `undefined` where this C library has no contexts (musl). */
export const inOneGo = (libc: Libc): InOneGo | undefined => {
  if (![GETCONTEXT, MAKECONTEXT, SWAPCONTEXT].every(({ name }) => libc.has(name))) return undefined;
  const back = alignedBuffer(libc, CONTEXT_BYTES);
  const places: Place[] = [];
  const placeOf = (at: number): Place =>
    (places[at] ??= {
      context: alignedBuffer(libc, CONTEXT_BYTES),
      stack: alignedBuffer(libc, STACK_BYTES),
    });
  const prepare = ({ name, args }: Call, at: number, next: Buffer): Buffer => {
    const { context, stack } = placeOf(at);
    libc.call(GETCONTEXT, context);
    writeWord(context, LINK_AT, libc.addressOf(next));
    writeWord(context, STACK_AT, libc.addressOf(stack));
    writeWord(context, STACK_SIZE_AT, stack.length);
    const words = Array.from({ length: MOST_ARGUMENTS }, (_, word) => args[word] ?? 0);
    libc.ask(MAKECONTEXT, context, libc.call(DLSYM, null, cString(name)), MOST_ARGUMENTS, ...words);
    return context;
  };
  return (calls) => {
    const first = calls.reduceRight((next, call, at) => prepare(call, at, next), back);
    libc.call(SWAPCONTEXT, back, first);
  };
};
