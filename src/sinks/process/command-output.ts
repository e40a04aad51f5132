// Where a command's output goes: into the service's log as stream `hook`, or into a scratch file from which the last
// lines are kept as evidence.
import type { Evidence } from '../../streams/domain/error.ts';
import type { Capture, CommandJob } from '../../streams/domain/ports.ts';
import { openScratch } from './scratch.ts';

export interface CommandOutput {
  /** Absent: /dev/null. */
  readonly descriptors?: { readonly stdout: number; readonly stderr: number };
  readonly lastLines: (count: number) => Evidence;
  readonly close: () => void;
}

const NOWHERE: CommandOutput = { lastLines: () => [], close: () => undefined };

/** A log that cannot be opened loses the output, not the command. */
export const commandOutput = async (capture: Capture, { log }: CommandJob): Promise<CommandOutput> => {
  if (log === undefined) return scratchOutput();
  try {
    const outlets = await capture.openHook(log);
    return { descriptors: outlets, lastLines: () => [], close: () => outlets.close() };
  } catch {
    return NOWHERE;
  }
};

const scratchOutput = (): CommandOutput => {
  const scratch = openScratch();
  if (scratch === undefined) return NOWHERE;
  const { descriptor, lastLines, close } = scratch;
  return { descriptors: { stdout: descriptor, stderr: descriptor }, lastLines, close };
};
