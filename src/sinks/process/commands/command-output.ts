// A command's output goes into the service's log as stream `hook`, or into a scratch file if there is no log.
// Either way the last lines are evidence. The scratch file has no name, and vanishes with its last
// descriptor. Unlike a socket it can be opened again as /dev/stderr and needs no reader. It is truncated when
// it exceeds its limit.
// Rules: `docs/behaviour.md`, "Commands on behalf of a service", "Output".
import { closeSync, constants, fstatSync, ftruncateSync, openSync, readSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import type { ServiceSpec } from '../../../streams/domain/declared/spec.ts';
import type { Evidence } from '../../../streams/domain/errors/error.ts';
import type { Capture, CommandJob } from '../../../streams/domain/ports.ts';

interface Scratch {
  readonly descriptor: number;
  /** The last lines written, oldest first. */
  readonly lastLines: (count: number) => Evidence;
  readonly close: () => void;
}

/** The size at which the file is truncated, checked every `CUT_EVERY_MS`. */
const MAX_BYTES = 1024 * 1024;
const CUT_EVERY_MS = 250;
const TAIL_BYTES = 16 * 1024;
/** Linux' `__O_TMPFILE`, which needs `O_DIRECTORY` as well. */
const O_TMPFILE = 0o20000000 | constants.O_DIRECTORY;

/** A new scratch file; `undefined` if none can be made: the command then runs without evidence. */
export const openScratch = (): Scratch | undefined => {
  try {
    return scratchOn(openSync(tmpdir(), O_TMPFILE | constants.O_RDWR | constants.O_APPEND, 0o600));
  } catch {
    return undefined;
  }
};

/** A scratch file on a descriptor that the program before this one in the same process opened. */
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

export interface CommandOutput {
  /** Absent: /dev/null. */
  readonly descriptors?: { readonly stdout: number; readonly stderr: number };
  /** What it printed last; call it once the command has ended. */
  readonly lastLines: (count: number) => Promise<Evidence>;
  readonly close: () => void;
  /** Descriptor of its scratch file. */
  readonly scratch?: number;
}

const NOWHERE: CommandOutput = { lastLines: () => Promise.resolve([]), close: () => undefined };

/** Output from before the exit is in the FIFO already; it is read within a turn or two of the event loop. */
const READ_WITHIN_MS = 10;

/** Opens the output of a command. If the log cannot be opened the output is lost, not the command. */
export const commandOutput = async (capture: Capture, { log }: CommandJob): Promise<CommandOutput> => {
  if (log === undefined || log.logs.sink === 'none') return scratchOutput();
  try {
    const outlets = await capture.openHook(log);
    return { descriptors: outlets, lastLines: tailOf(capture, log), close: () => outlets.close() };
  } catch {
    return NOWHERE;
  }
};

const tailOf =
  (capture: Capture, { id }: ServiceSpec): CommandOutput['lastLines'] =>
  async (count) => {
    await setTimeout(READ_WITHIN_MS);
    return capture.hookTail(id, count);
  };

/** The output of a command that was handed over: its log is already read on, and so is its scratch file. */
export const handedOutput = (
  capture: Capture,
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
