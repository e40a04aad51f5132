// Where a command's output goes: into the service's log as stream `hook`, or, where none is kept, into a scratch file. Either way the last
// lines are evidence.
import { setTimeout } from 'node:timers/promises';
import type { Evidence } from '../../streams/domain/errors/error.ts';
import type { Capture, CommandJob } from '../../streams/domain/ports.ts';
import { openScratch } from './scratch.ts';

export interface CommandOutput {
  /** Absent: /dev/null. */
  readonly descriptors?: { readonly stdout: number; readonly stderr: number };
  /** What it printed last; asked for once the command has ended. */
  readonly lastLines: (count: number) => Promise<Evidence>;
  readonly close: () => void;
}

const NOWHERE: CommandOutput = { lastLines: () => Promise.resolve([]), close: () => undefined };

/** What was written before the exit is in the FIFO already; it is read within a turn or two of the event loop. */
const READ_WITHIN_MS = 10;

/** A log that cannot be opened loses the output, not the command. */
export const commandOutput = async (capture: Capture, { log }: CommandJob): Promise<CommandOutput> => {
  if (log === undefined || log.logs.sink === 'none') return scratchOutput();
  try {
    const outlets = await capture.openHook(log);
    const lastLines = async (count: number): Promise<Evidence> => {
      await setTimeout(READ_WITHIN_MS);
      return capture.hookTail(log.id, count);
    };
    return { descriptors: outlets, lastLines, close: () => outlets.close() };
  } catch {
    return NOWHERE;
  }
};

const scratchOutput = (): CommandOutput => {
  const scratch = openScratch();
  if (scratch === undefined) return NOWHERE;
  const { descriptor, lastLines, close } = scratch;
  return {
    descriptors: { stdout: descriptor, stderr: descriptor },
    lastLines: (count) => Promise.resolve(lastLines(count)),
    close,
  };
};
