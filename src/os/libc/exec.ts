// What stands between a Node process and the program it becomes: descriptors, signals, the exec itself.
// Node closes 0–2 on exec, ignores SIGPIPE and SIGXFSZ, and a mask is inherited: without this the program would have
// no output and would not notice a closed pipe.
import { startFound } from '../children/program-search.ts';
import { cFunction, type Libc } from '../libc.ts';
import { TextBlock } from './memory.ts';

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

/** Another descriptor of the same thing, which is not inherited. Throws `Refused`. */
export const duplicated = (libc: Libc, descriptor: number): number =>
  libc.call(FCNTL, descriptor, F_DUPFD_CLOEXEC, 0);

/** Every descriptor from `first` on; false where the kernel (before 5.11) does not know how. */
export const closeAllOnExec = (libc: Libc, first: number): boolean =>
  libc.ask(CLOSE_RANGE, SYS_CLOSE_RANGE, first, LAST_DESCRIPTOR, CLOSE_RANGE_CLOEXEC).value === 0;

/** As it was before Node: `signals` have their default action again. */
export const resetSignals = (libc: Libc, signals: readonly number[]): void => {
  for (const signal of signals) libc.call(SIGNAL, signal, SIG_DFL);
};

/** No signal is blocked. */
export const clearSignalMask = (libc: Libc): void => {
  libc.call(SIGPROCMASK, SIG_SETMASK, Buffer.alloc(SIGSET_BYTES), null);
};

/** From now on these wait, also for the program that this process becomes, until the mask is cleared. */
export const blockSignals = (libc: Libc, signals: readonly number[]): void => {
  const set = Buffer.alloc(SIGSET_BYTES);
  for (const signal of signals) {
    const at = (signal - 1) >> 3;
    set.writeUInt8(set.readUInt8(at) | (1 << ((signal - 1) & 7)), at);
  }
  libc.call(SIGPROCMASK, SIG_BLOCK, set, null);
};

/** SIGALRM, which ends who does not expect it, after so many seconds, also of the program that this process becomes; 0: never. */
export const alarmAfter = (libc: Libc, seconds: number): void => void libc.ask(ALARM, seconds);

interface Program {
  readonly argv: readonly string[];
  /** What is executed, where that is not what it is called. */
  readonly file?: string;
  readonly environment: Readonly<Record<string, string>>;
  /** The `PATH` in which a name without a slash is looked for. */
  readonly path?: string | undefined;
}

/** Becomes another program. Returns only by throwing. */
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
