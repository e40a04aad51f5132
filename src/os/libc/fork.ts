// Another process that is a copy of this one: clone(2). Node may not be copied as it is: V8 keeps its memory out of copies,
// so that one crashes at its first step; and only the calling thread is copied, so that nothing may be asked of the others:
// a copy does what is synchronous, on a V8 that was told to use one thread (`--single-threaded`), and then executes a
// program or leaves. It never goes back to the event loop.
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { cFunction, type Libc } from '../libc.ts';
import { inOneGo } from './one-go.ts';

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
/** What a program has of addresses: 47 bits on x64, 48 on arm64. */
const ALL_MEMORY = 2 ** 48 - PAGE;
/** Everything that is mapped is copied as well. What is no memory is refused, and is copied anyway. */
const COPY_ALL = [PAGE, ALL_MEMORY, MADV_DOFORK] as const;

/** `refused`: there is no copy, and this is the original. */
type Fork = () => 'original' | 'copy' | 'refused';

/** Whether some memory is kept out of copies, as the kernel has it on record. */
const isHeldBack = (): boolean => /^VmFlags:.* dc( |$)/m.test(readFileSync('/proc/self/smaps', 'latin1'));

/** The copies are children of this process's parent. `undefined` where that cannot be done. */
export const siblings = (libc: Libc): Fork | undefined => {
  const clone = SYS_CLONE[process.arch];
  const go = inOneGo(libc);
  libc.ask(MADVISE, ...COPY_ALL);
  if (clone === undefined || go === undefined || isHeldBack()) return undefined;
  const own = ownPid(libc);
  const pid = Buffer.alloc(4);
  const flags = CLONE_PARENT | CLONE_PARENT_SETTID | constants.signals.SIGCHLD;
  return () => {
    pid.writeInt32LE(0);
    // What V8 has mapped since the last time is kept out again, and it may map more in whatever is done between the two.
    go([
      { name: 'madvise', args: COPY_ALL },
      { name: 'syscall', args: [clone, flags, 0, libc.addressOf(pid), 0, 0] },
    ]);
    if (ownPid(libc) !== own) return 'copy';
    return pid.readInt32LE() === 0 ? 'refused' : 'original';
  };
};

/** Of this very process, also in a copy: what Node knows is the original's. */
export const ownPid = (libc: Libc): number => libc.call(GETPID);

/** Leads a session and a group of its own from now on. */
export const leadSession = (libc: Libc): void => void libc.call(SETSID);

/** The same thing under another number, in place of what had it. */
export const placeAt = (libc: Libc, descriptor: number, at: number): void =>
  void libc.call(DUP2, descriptor, at);

/** Ends without a word to Node, whose own way out waits for threads that a copy does not have. */
export const leave = (libc: Libc, status: number): never => {
  libc.ask(EXIT, status);
  throw new Error('a process that has ended goes on');
};
