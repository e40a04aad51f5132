// A guardian that waits to bring a supervisor back: who shuts everything down ends it too.
import { setTimeout as pause } from 'node:timers/promises';
import { isGone } from '../../os/errno.ts';
import { startTicksOf } from '../../os/proc/proc-stat.ts';
import { guardianOf } from '../../sources/process/guardian.ts';
import type { ProcessRef } from '../../streams/domain/service/process.ts';

const PATIENCE_MS = 3_000;
const PAUSE_MS = 10;

const isThere = ({ pid, startTicks }: ProcessRef): boolean => startTicksOf(pid) === startTicks;

const send = (guardian: ProcessRef, signal: NodeJS.Signals): void => {
  if (!isThere(guardian)) return;
  try {
    process.kill(guardian.pid, signal);
  } catch (error) {
    if (!isGone(error)) throw error;
  }
};

/** Answers whether it has ended in time. */
const hasEnded = async (guardian: ProcessRef): Promise<boolean> => {
  const until = performance.now() + PATIENCE_MS;
  while (isThere(guardian) && performance.now() < until) await pause(PAUSE_MS);
  return !isThere(guardian);
};

/** Of one whose supervisor has ended, or that was told to end: it does not see that while it is stopped. Settles when it is gone. */
export const guardianEnded = async (guardian: ProcessRef): Promise<void> => {
  send(guardian, 'SIGCONT');
  if (await hasEnded(guardian)) return;
  // It has nothing left to do but to end.
  send(guardian, 'SIGKILL');
  await hasEnded(guardian);
};

/** Only where no supervisor runs: one that does is told to end by its guardian, and stops everything in its own way. */
export const endGuardian = async (dataDir: string): Promise<void> => {
  const guardian = guardianOf(dataDir);
  if (guardian === undefined) return;
  // Not SIGTERM: it would bring one back that stops everything.
  send(guardian, 'SIGQUIT');
  await guardianEnded(guardian);
};
