// Forks this process by clone(2), which Node does not support. V8 excludes its memory from forks
// (MADV_DONTFORK), so this file first includes that memory again. In the child only the calling thread
// exists. So the child needs a V8 with one thread (`--single-threaded`), and it runs only synchronous code
// until it executes a program or exits.
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { writeWord } from './addon.ts';
import { cString } from './c-memory.ts';
import { cFunction, type Libc } from './libc.ts';

const DLSYM = cFunction('long', 'dlsym', 'pointer', 'pointer');
const GETCONTEXT = cFunction('int', 'getcontext', 'pointer');
const MAKECONTEXT = cFunction(
  'void',
  'makecontext',
  ...(['pointer', 'ulong', 'int'] as const),
  ...(['ulong', 'ulong', 'ulong', 'ulong', 'ulong', 'ulong'] as const),
);
const SWAPCONTEXT = cFunction('int', 'swapcontext', 'pointer', 'pointer');

/** Maximum number of arguments of a call, all passed in registers. */
const MOST_ARGUMENTS = 6;
/**
 * The size of the memory for a `ucontext_t`, bytes. It is larger than that of glibc (968 bytes on x64, 4560
 * on arm64). Only the first fields are set here.
 */
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

/**
 * The alignment of contexts and stacks, bytes: the C library saves registers in them in units of up to 16
 * bytes.
 */
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

/** Returns a function that makes several C calls without JavaScript between them; `undefined` with musl. */
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

const MADVISE = cFunction('int', 'madvise', 'ulong', 'ulong', 'int');
const GETPID = cFunction('int', 'getpid');
const SETSID = cFunction('int', 'setsid');
const EXIT = cFunction('void', '_exit', 'int');
const DUP2 = cFunction('int', 'dup2', 'int', 'int');

const SYS_CLONE: Partial<Record<NodeJS.Architecture, number>> = { x64: 56, arm64: 220 };
const CLONE_PARENT = 0x8000;
const CLONE_PARENT_SETTID = 0x10_0000;
const MADV_DOFORK = 11;
const PAGE = 4096;
/** The size of the address space, bytes. 48 bits are enough for x64 (47 bits) and arm64 (48 bits). */
const ALL_MEMORY = 2 ** 48 - PAGE;
/**
 * The arguments for the call of madvise(2) that includes all memory in forks. For device mappings madvise
 * fails, but they are included in forks anyway.
 */
const COPY_ALL = [PAGE, ALL_MEMORY, MADV_DOFORK] as const;

/** Forks this process. `original`: this is the parent. `copy`: this is the child. `refused`: clone failed. */
type Fork = () => 'original' | 'copy' | 'refused';

/** True if the kernel lists memory that is excluded from forks. */
const isHeldBack = (): boolean => /^VmFlags:.* dc( |$)/m.test(readFileSync('/proc/self/smaps', 'latin1'));

/**
 * The maximum number of times that the list of mappings is read. Reading the list may make V8 map new memory,
 * which V8 excludes from forks. If that happens, all memory is included again, and the list is read again.
 */
const READINGS = 5;

/** Includes all memory in forks. True on success. */
const copiesAll = (libc: Libc): boolean => {
  for (let reading = 0; reading < READINGS; reading += 1) {
    libc.ask(MADVISE, ...COPY_ALL);
    if (!isHeldBack()) return true;
  }
  return false;
};

/**
 * Returns a function that forks this process; `undefined` if it cannot fork. The new process becomes a child
 * of the parent of this process.
 */
export const siblings = (libc: Libc): Fork | undefined => {
  const clone = SYS_CLONE[process.arch];
  const go = inOneGo(libc);
  if (clone === undefined || go === undefined || !copiesAll(libc)) return undefined;
  const own = ownPid(libc);
  const pid = Buffer.alloc(4);
  const flags = CLONE_PARENT | CLONE_PARENT_SETTID | constants.signals.SIGCHLD;
  return () => {
    pid.writeInt32LE(0);
    // JavaScript between madvise and clone could map memory, which V8 would exclude from the fork.
    go([
      { name: 'madvise', args: COPY_ALL },
      { name: 'syscall', args: [clone, flags, 0, libc.addressOf(pid), 0, 0] },
    ]);
    if (ownPid(libc) !== own) return 'copy';
    return pid.readInt32LE() === 0 ? 'refused' : 'original';
  };
};

/** Returns the pid of this process. In a forked child Node's `process.pid` still returns the parent's pid. */
export const ownPid = (libc: Libc): number => libc.call(GETPID);

/** Makes this process the leader of a new session and process group. */
export const leadSession = (libc: Libc): void => void libc.call(SETSID);

/** Duplicates a descriptor to the number `at`; a descriptor that had this number is closed. */
export const placeAt = (libc: Libc, descriptor: number, at: number): void =>
  void libc.call(DUP2, descriptor, at);

/** Exits by `_exit`, because Node's own exit would wait for threads that a forked child does not have. */
export const leave = (libc: Libc, status: number): never => {
  libc.ask(EXIT, status);
  throw new Error('a process that has ended goes on');
};
