// The protocol between supervisor and launcher, over one descriptor. Orders (steps and program) are frames: a
// length, then JSON. Reports are lines of JSON. A launcher reads exactly one frame and no byte more, because
// the next frame may be for a second launcher that is executed in this process. The soft limit on open files
// is an argument: Node raises the limit when it starts, so that the launcher cannot read the original limit.
import { closeSync, openSync, readFileSync, readSync, writeSync } from 'node:fs';
import type { Libc } from '../../../os/libc/libc.ts';
import { readLimit, setLimit } from '../../../os/libc/resource-limits.ts';
import type { LaunchOrder, LaunchReport, LaunchStep } from '../../../streams/launch/launch-step.ts';

/** The first descriptor after standard input, output and error. */
const FIRST_HANDED = 3;

/** Returns how many descriptors the launcher keeps open for the program. This is its first argument. */
export const handedOn = (argv: readonly string[]): number => Number(argv[2] ?? 0);

/** Returns the descriptor of the channel, which follows the descriptors for the program. */
export const channelAfter = (handed: number): number => FIRST_HANDED + handed;

const LENGTH_BYTES = 4;

export interface LauncherChannel {
  /** Waits for an order, blocking. Throws if the supervisor has closed the channel. */
  receive(): LaunchOrder;
  report(report: LaunchReport): void;
}

const readExactly = (descriptor: number, length: number): Buffer => {
  const buffer = Buffer.alloc(length);
  for (let have = 0; have < length;) {
    const count = readSync(descriptor, buffer, have, length - have, null);
    if (count === 0) throw new Error('the supervisor is gone');
    have += count;
  }
  return buffer;
};

export const channelOver = (descriptor: number): LauncherChannel => ({
  receive: () => {
    const length = readExactly(descriptor, LENGTH_BYTES).readUInt32LE();
    return JSON.parse(readExactly(descriptor, length).toString('utf8')) as LaunchOrder;
  },
  report: (report) => {
    writeSync(descriptor, `${JSON.stringify(report)}\n`);
  },
});

/** Encodes the order as the frame that `receive` reads. */
export const frameOf = (order: LaunchOrder): Buffer => {
  const text = Buffer.from(JSON.stringify(order));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(text.length);
  return Buffer.concat([length, text]);
};

const ARGUMENT = '--soft-files=';

/** Returns the launcher's argument with the soft limit on open files, if it is known. */
export const softFilesArgument = (soft: number | undefined): readonly string[] =>
  soft === undefined ? [] : [`${ARGUMENT}${soft}`];

interface SoftFiles {
  /**
   * Call it before each step. If the step itself sets the limit, `restore` does nothing later. If the step
   * installs a seccomp filter, `before` restores the soft limit now, because the filter may deny the call
   * later.
   */
  readonly before: (libc: Libc, step: LaunchStep) => void;
  /** Restores the soft limit on open files. Call it right before the exec. */
  readonly restore: (libc: Libc) => void;
}

/** Returns the soft limit in a launcher's command line, or `undefined` if it has none. */
export const softFilesIn = (argv: readonly string[]): number | undefined => {
  const told = argv.find((word) => word.startsWith(ARGUMENT))?.slice(ARGUMENT.length);
  return told === undefined ? undefined : Number(told);
};

/**
 * Returns functions that set the soft limit for open files back to `soft` before the program runs. If `soft`
 * is `undefined`, the functions do nothing.
 */
export const softFilesOf = (soft: number | undefined): SoftFiles => {
  let open = soft !== undefined;
  const restore = (libc: Libc): void => {
    if (!open || soft === undefined) return;
    open = false;
    setLimit(libc, 'nofile', { soft, hard: readLimit(libc, 'nofile').hard });
  };
  return {
    before: (libc, step) => {
      if (step.tag === 'limit' && step.resource === 'nofile' && !step.atLeast) open = false;
      if (step.tag === 'seccomp') restore(libc);
    },
    restore,
  };
};

export interface LaunchMessage {
  readonly softFiles?: number | undefined;
  /** The run tag, by which a process scan recognises the process at once. */
  readonly marks: Readonly<Record<string, string>>;
}

export const launchMessage = (telling: LaunchMessage): Buffer => Buffer.from(JSON.stringify(telling));

export const launchMessageIn = (message: Buffer): LaunchMessage =>
  JSON.parse(message.toString('utf8')) as LaunchMessage;

/** The first line that a forked launcher writes. The supervisor sends the order after it has read the pid. */
interface PidReport {
  readonly pid: number;
}

export const pidLine = (report: PidReport): string => `${JSON.stringify(report)}\n`;

export const pidIn = (line: Buffer): PidReport => JSON.parse(line.toString('utf8')) as PidReport;

const ROOM_BYTES = 8192;

/** The template's environment: one long variable, which each fork overwrites in memory with its run tag. */
export const ROOM: Readonly<Record<string, string>> = { SUP_ROOM: ' '.repeat(ROOM_BYTES) };

/** The address and length of the environment in the memory of this process and its forks. */
export interface Room {
  readonly from: number;
  readonly length: number;
}

/** The index of `env_start` among the fields that follow the process name (proc_pid_stat(5)). */
const ENV_START = 47;

export const environmentRoom = (): Room => {
  const stat = readFileSync('/proc/self/stat', 'latin1');
  const words = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [from, to] = [Number(words[ENV_START]), Number(words[ENV_START + 1])];
  return { from, length: to - from };
};

/**
 * Overwrites the environment in memory with the run tag, so that `/proc/<pid>/environ` shows the tag. If that
 * is impossible, only the rlimit tag identifies the process.
 */
export const showMarks = ({ from, length }: Room, marks: Readonly<Record<string, string>>): void => {
  const text = Object.entries(marks).map(([name, value]) => `${name}=${value}\0`);
  const shown = Buffer.alloc(length);
  if (Buffer.byteLength(text.join('')) > length) return;
  shown.write(text.join(''));
  try {
    const memory = openSync('/proc/self/mem', 'r+');
    writeSync(memory, shown, 0, length, from);
    closeSync(memory);
  } catch {
    return;
  }
};
