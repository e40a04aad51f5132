// A command's output goes into the service's log as stream `hook`, or into a scratch file if there is no log.
// Either way the last lines are evidence.
// Rules: `docs/behaviour.md`, "Commands on behalf of a service", "Output".
import { setTimeout } from 'node:timers/promises';
import type { Evidence } from '../../../streams/domain/errors/error.ts';
import type { Capture, CommandJob } from '../../../streams/domain/ports.ts';
import type { ServiceSpec } from '../../../streams/domain/declared/spec.ts';
import { openScratch, scratchOn, type Scratch } from './scratch.ts';

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
