// Executes another program in this Node process. Node marks descriptors 0 to 2 close-on-exec and ignores
// SIGPIPE and SIGXFSZ, and a program inherits ignored signals and the signal mask. This file resets these
// settings. Without that, the program would have no output and would not notice a closed pipe.
import { startFound } from '../children/program-search.ts';
import { cFunction, type Libc } from './libc.ts';
import { TextBlock } from './c-memory.ts';

const FCNTL = cFunction('int', 'fcntl', 'int', 'int', 'int');
const CLOSE_RANGE = cFunction('long', 'syscall', 'long', 'uint', 'uint', 'uint');
const SIGNAL = cFunction('long', 'signal', 'int', 'ulong');
const SIGPROCMASK = cFunction('int', 'sigprocmask', 'int', 'pointer', 'pointer');
const EXECVE = cFunction('int', 'execve', 'pointer', 'pointer', 'pointer');
const ALARM = cFunction('int', 'alarm', 'uint');

const F_SETFD = 2;
const F_DUPFD_CLOEXEC = 1030;
const SYS_CLOSE_RANGE = 436;
const CLOSE_RANGE_CLOEXEC = 4;
const LAST_DESCRIPTOR = 0xffff_ffff;
const SIG_DFL = 0;
const SIG_BLOCK = 0;
const SIG_SETMASK = 2;
const SIGSET_BYTES = 128;

export const keepOnExec = (libc: Libc, descriptor: number): void => {
  libc.call(FCNTL, descriptor, F_SETFD, 0);
};

/** Duplicates a descriptor; the duplicate is close-on-exec. Throws `Refused`. */
export const duplicated = (libc: Libc, descriptor: number): number =>
  libc.call(FCNTL, descriptor, F_DUPFD_CLOEXEC, 0);

/** Sets close-on-exec on all descriptors from `first` on. False if the kernel cannot (before 5.11). */
export const closeAllOnExec = (libc: Libc, first: number): boolean =>
  libc.ask(CLOSE_RANGE, SYS_CLOSE_RANGE, first, LAST_DESCRIPTOR, CLOSE_RANGE_CLOEXEC).value === 0;

/** Gives each of the signals its default action, because Node has changed the action of some signals. */
export const resetSignals = (libc: Libc, signals: readonly number[]): void => {
  for (const signal of signals) libc.call(SIGNAL, signal, SIG_DFL);
};

export const clearSignalMask = (libc: Libc): void => {
  libc.call(SIGPROCMASK, SIG_SETMASK, Buffer.alloc(SIGSET_BYTES), null);
};

/** Blocks `signals`, also in a program that this process executes, until the mask is cleared. */
export const blockSignals = (libc: Libc, signals: readonly number[]): void => {
  const set = Buffer.alloc(SIGSET_BYTES);
  for (const signal of signals) {
    const at = (signal - 1) >> 3;
    set.writeUInt8(set.readUInt8(at) | (1 << ((signal - 1) & 7)), at);
  }
  libc.call(SIGPROCMASK, SIG_BLOCK, set, null);
};

/**
 * Makes the kernel kill this process by SIGALRM after this many seconds, also after an exec. 0 cancels it.
 */
export const alarmAfter = (libc: Libc, seconds: number): void => void libc.ask(ALARM, seconds);

interface Program {
  readonly argv: readonly string[];
  /** The file to execute, if it is not the first element of `argv`. */
  readonly file?: string;
  readonly environment: Readonly<Record<string, string>>;
  /** The `PATH` in which a program name without a slash is searched. */
  readonly path?: string | undefined;
}

/** Replaces this process by another program. Never returns; throws if the program cannot be executed. */
export const execute = (libc: Libc, { argv, environment, file, path }: Program): never => {
  const block = new TextBlock(libc);
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  const sought = { argv, path, directory: '.', ...(file !== undefined && { file }) };
  startFound(sought, (program, words) => {
    block.begin([program, ...words, ...variables]);
    libc.call(EXECVE, block.text(program), block.vector(words), block.vector(variables));
  });
  throw new Error(`exec came back (${argv.length} arguments)`);
};
