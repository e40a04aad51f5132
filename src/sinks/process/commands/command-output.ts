// The output of a command goes to the service's log as stream `hook`, or to a scratch file if there is no
// log. The last lines of the output are kept as evidence. The scratch file has no name in the file system.
// Unlike a pipe it can be reopened as /dev/stderr and needs no reader. If it becomes too large, it is
// truncated.
// Rules: `docs/behaviour.md`, "Commands on behalf of a service", "Output", "As the
// service".
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import type { Account } from '../../../streams/domain/account.ts';
import type { ServiceSpec } from '../../../streams/domain/declared/spec.ts';
import type { Evidence } from '../../../streams/domain/errors/error.ts';
import type { Capture, CommandJob } from '../../../streams/domain/ports.ts';

/** Access to the stream `hook` of the logs. */
export type HookCapture = Pick<Capture, 'openHook' | 'hookTail'>;

interface Scratch {
  readonly descriptor: number;
  /** Returns the last lines written, oldest first. */
  readonly lastLines: (count: number) => Evidence;
  readonly close: () => void;
}

/** Size at which the scratch file is truncated, bytes. The size is checked every `CUT_EVERY_MS`. */
const MAX_BYTES = 1024 * 1024;
const CUT_EVERY_MS = 250;
const TAIL_BYTES = 16 * 1024;
/** The flag `__O_TMPFILE` of Linux, combined with `O_DIRECTORY` as the kernel requires. */
const O_TMPFILE = 0o20000000 | constants.O_DIRECTORY;

/**
 * Returns a new scratch file. If none can be made, returns `undefined`: the command runs without evidence.
 */
export const openScratch = (): Scratch | undefined => {
  try {
    return scratchOn(openSync(tmpdir(), O_TMPFILE | constants.O_RDWR | constants.O_APPEND, 0o600));
  } catch {
    return undefined;
  }
};

/** Wraps an open scratch file, which is new or was inherited through a re-exec. */
const scratchOn = (descriptor: number): Scratch => {
  const cut = setInterval(() => {
    if (fstatSync(descriptor).size > MAX_BYTES) ftruncateSync(descriptor, 0);
  }, CUT_EVERY_MS);
  return {
    descriptor,
    lastLines: (count) => linesOf(endOf(descriptor)).slice(-count),
    close: () => {
      clearInterval(cut);
      closeSync(descriptor);
    },
  };
};

const endOf = (descriptor: number): string => {
  const { size } = fstatSync(descriptor);
  const buffer = Buffer.alloc(Math.min(size, TAIL_BYTES));
  const read = readSync(descriptor, buffer, 0, buffer.length, size - buffer.length);
  return buffer.toString('utf8', 0, read);
};

const linesOf = (text: string): Evidence => text.split(/\r?\n/).filter((line) => line !== '');

/** Returns the descriptor of a file without a name that contains the text, for use as standard input. */
export const openInput = (text: string): number => {
  const descriptor = openSync(tmpdir(), O_TMPFILE | constants.O_RDWR, 0o600);
  let written = 0;
  const bytes = Buffer.from(text);
  // Writes at explicit positions, so that the offset of the file stays at its beginning.
  while (written < bytes.length) written += writeSync(descriptor, bytes, written, undefined, written);
  return descriptor;
};

export interface CommandOutput {
  /** Descriptors for the output of the command; absent: /dev/null. */
  readonly descriptors?: { readonly stdout: number; readonly stderr: number };
  /** Returns what the command printed last. Call it after the command has ended. */
  readonly lastLines: (count: number) => Promise<Evidence>;
  readonly close: () => void;
  /** Descriptor of the scratch file, if there is one. */
  readonly scratch?: number;
}

const OWNER_AND_GROUP_WRITE = 0o620;

/**
 * Lets a command that runs as another user reopen its output (`/dev/stderr`) for writing. It may not read
 * this output, because other commands write there too.
 */
export const lendOutput = ({ gid }: Account, output: CommandOutput['descriptors']): void => {
  if (output === undefined) return;
  for (const descriptor of new Set([output.stdout, output.stderr])) {
    fchownSync(descriptor, fstatSync(descriptor).uid, gid);
    fchmodSync(descriptor, OWNER_AND_GROUP_WRITE);
  }
};

const NOWHERE: CommandOutput = { lastLines: () => Promise.resolve([]), close: () => undefined };

/**
 * Delay before the last lines are read, ms. The output is already in the FIFO, and the supervisor reads it in
 * one or two turns of the event loop.
 */
const READ_WITHIN_MS = 10;

/** Opens the output of a command. If the log cannot be opened, its output is discarded. */
export const commandOutput = async (capture: HookCapture, { log }: CommandJob): Promise<CommandOutput> => {
  if (log === undefined || log.logs.sink === 'none') return scratchOutput();
  try {
    const outlets = await capture.openHook(log);
    return { descriptors: outlets, lastLines: tailOf(capture, log), close: () => outlets.close() };
  } catch {
    return NOWHERE;
  }
};

const tailOf =
  (capture: HookCapture, { id }: ServiceSpec): CommandOutput['lastLines'] =>
  async (count) => {
    await setTimeout(READ_WITHIN_MS);
    return capture.hookTail(id, count);
  };

/**
 * Returns the output of a command that was handed over. If the command prints to a log, this output is
 * already being read. `descriptor`: the scratch file of the command, which is used again.
 */
export const handedOutput = (
  capture: HookCapture,
  { log }: CommandJob,
  descriptor: number | undefined,
): CommandOutput => {
  if (descriptor !== undefined) return onScratch(scratchOn(descriptor));
  return log === undefined ? NOWHERE : { ...NOWHERE, lastLines: tailOf(capture, log) };
};

const scratchOutput = (): CommandOutput => {
  const scratch = openScratch();
  return scratch === undefined ? NOWHERE : onScratch(scratch);
};

const onScratch = ({ descriptor, lastLines, close }: Scratch): CommandOutput => ({
  descriptors: { stdout: descriptor, stderr: descriptor },
  lastLines: (count) => Promise.resolve(lastLines(count)),
  close,
  scratch: descriptor,
});
