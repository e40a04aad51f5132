// Commands that need the data directory wait until a stop without a supervisor has ended.
import { setTimeout as pause } from 'node:timers/promises';
import { stopInProgress } from '../../sources/store/lock.ts';
import type { Context } from '../context.ts';
import { remark } from '../print.ts';

const PAUSE_MS = 20;

/** Settles when no such stop is in progress. */
export const stopOver = async (context: Context): Promise<void> => {
  const pid = stopInProgress(context.dataDir);
  if (pid === undefined) return;
  remark(context, `a stop is at work (pid ${pid}): waiting for it`);
  while (stopInProgress(context.dataDir) !== undefined) await pause(PAUSE_MS);
};
