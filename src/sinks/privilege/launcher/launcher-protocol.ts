// What passes between the supervisor and a launcher. The launcher's end of the channel is one descriptor,
// with orders as frames (length, then JSON) and reports as lines. A frame is read to its last byte and no
// further: the next one may be for the launcher that follows. Its arguments carry the soft limit on open
// files, since Node raises its own when it starts. A template receives messages about launches, and shows the
// marks of a run in the room of its environment.
import { closeSync, openSync, readFileSync, readSync, writeSync } from 'node:fs';
import type { Libc } from '../../../os/libc/libc.ts';
import { readLimit, setLimit } from '../../../os/libc/resource-limits.ts';
import type { LaunchOrder, LaunchReport, LaunchStep } from '../../../streams/launch/launch-step.ts';

/** After standard input, output and error. */
const FIRST_HANDED = 3;

/** How many descriptors the launcher passes on to the program: its first argument. */
export const handedOn = (argv: readonly string[]): number => Number(argv[2] ?? 0);

/** The descriptor of the channel: it follows those that are passed on to the program. */
export const channelAfter = (handed: number): number => FIRST_HANDED + handed;

const LENGTH_BYTES = 4;

export interface LauncherChannel {
  /** Waits for an order. Throws when the supervisor has closed the channel. */
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

/** The order as the frame that `receive` reads. */
export const frameOf = (order: LaunchOrder): Buffer => {
  const text = Buffer.from(JSON.stringify(order));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(text.length);
  return Buffer.concat([length, text]);
};

const ARGUMENT = '--soft-files=';

/** The argument that passes the limit to a launcher; empty if the limit is unknown. */
export const softFilesArgument = (soft: number | undefined): readonly string[] =>
  soft === undefined ? [] : [`${ARGUMENT}${soft}`];

interface SoftFiles {
  /**
   * Called before each step: a step may set the declared limit, and after a system call filter no limit can
   * be set.
   */
  readonly before: (libc: Libc, step: LaunchStep) => void;
  /** Called right before the exec. */
  readonly restore: (libc: Libc) => void;
}

/** The limit in a launcher's command line. */
export const softFilesIn = (argv: readonly string[]): number | undefined => {
  const told = argv.find((word) => word.startsWith(ARGUMENT))?.slice(ARGUMENT.length);
  return told === undefined ? undefined : Number(told);
};

/** Restores the soft limit in time. `soft`: undefined if unknown. */
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
  /** The marks by which the process is found from its first moment. */
  readonly marks: Readonly<Record<string, string>>;
}

export const launchMessage = (telling: LaunchMessage): Buffer => Buffer.from(JSON.stringify(telling));

export const launchMessageIn = (message: Buffer): LaunchMessage =>
  JSON.parse(message.toString('utf8')) as LaunchMessage;

/** The first line of a copy: its pid. It gets its orders when the supervisor knows the pid. */
interface Born {
  readonly pid: number;
}

export const pidLine = (born: Born): string => `${JSON.stringify(born)}\n`;

export const pidIn = (line: Buffer): Born => JSON.parse(line.toString('utf8')) as Born;

const ROOM_BYTES = 8192;

/** The template's environment. */
export const ROOM: Readonly<Record<string, string>> = { SUP_ROOM: ' '.repeat(ROOM_BYTES) };

/** Where the environment lies in the memory of this process and of its copies. */
export interface Room {
  readonly from: number;
  readonly length: number;
}

/** Counted after the name, which may hold anything: see proc_pid_stat(5). */
const ENV_START = 47;

export const environmentRoom = (): Room => {
  const stat = readFileSync('/proc/self/stat', 'latin1');
  const words = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [from, to] = [Number(words[ENV_START]), Number(words[ENV_START + 1])];
  return { from, length: to - from };
};

/**
 * Writes the marks into the room. If they do not fit, or this machine forbids it, the birthmark remains the
 * only mark.
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
