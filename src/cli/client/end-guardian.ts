// A guardian that waits to bring a supervisor back: who shuts everything down ends it too.
import { setTimeout as pause } from 'node:timers/promises';
import { isGone } from '../../os/errno.ts';
import { startTicksOf } from '../../os/proc/proc-stat.ts';
import { guardianOf } from '../../sources/process/guardian.ts';

const PATIENCE_MS = 3_000;
const PAUSE_MS = 10;

/** Settles when it has ended, or will not. */
export const guardianEnded = async (pid: number, startTicks: number | undefined): Promise<void> => {
  const until = performance.now() + PATIENCE_MS;
  while (startTicks !== undefined && startTicksOf(pid) === startTicks && performance.now() < until)
    await pause(PAUSE_MS);
};

/** Only where no supervisor runs: one that does is told to end by its guardian, and stops everything in its own way. */
export const endGuardian = async (dataDir: string): Promise<void> => {
  const guardian = guardianOf(dataDir);
  if (guardian === undefined) return;
  const { pid, startTicks } = guardian;
  try {
    process.kill(pid, 'SIGTERM');
  } catch (error) {
    if (!isGone(error)) throw error;
  }
  await guardianEnded(pid, startTicks);
};
