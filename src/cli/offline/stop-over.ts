// Who needs the data directory while a stop without a supervisor is at work waits for it: it ends as soon as all is still.
import { setTimeout as pause } from 'node:timers/promises';
import { stopInProgress } from '../../sources/store/lock.ts';
import type { Context } from '../context.ts';
import { remark } from '../print.ts';

const PAUSE_MS = 20;

/** Settles when no such stop is at work, at once when none is. */
export const stopOver = async (context: Context): Promise<void> => {
  const pid = stopInProgress(context.dataDir);
  if (pid === undefined) return;
  remark(context, `a stop is at work (pid ${pid}): waiting for it`);
  while (stopInProgress(context.dataDir) !== undefined) await pause(PAUSE_MS);
};
