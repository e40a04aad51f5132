// Waiting for services to stop when there is no supervisor, or it has just ended: then what it recorded last tells. Only
// that can be reached without one; whoever waits for anything else waits in vain.
import { setTimeout as pause } from 'node:timers/promises';
import { startTicksOf } from '../../../os/proc/proc-stat.ts';
import type { Selection } from '../../../streams/domain/command.ts';
import type { Context } from '../../context.ts';
import { idsIn, isReached, judged, seenIn, type Judged } from './awaited.ts';

/** Its last words are on disk by then, be they what they may. */
const LAST_WORDS_MS = 2_000;
const LOOK_EVERY_MS = 20;

/** A process, told from a later one with the same number. */
interface Identity {
  readonly pid: number;
  readonly startTicks: number | undefined;
}

/** Settles when that supervisor's process is gone, or has had the time for its last words. */
export const goneBy = async ({ pid, startTicks }: Identity): Promise<void> => {
  const began = performance.now();
  while (startTicks !== undefined && startTicksOf(pid) === startTicks) {
    if (performance.now() - began > LAST_WORDS_MS) return;
    await pause(LOOK_EVERY_MS);
  }
};

/** All of them as they were recorded; `undefined`: not all of them are at rest. */
export const stoppedByRecord = async (
  context: Context,
  selection: Selection,
): Promise<Judged | undefined> => {
  const { offlineStatus } = await import('../../offline/offline-status.ts');
  const { projects } = offlineStatus(context, selection, undefined);
  const seen = seenIn(projects);
  const services = judged(seen, { goal: 'stopped', ids: idsIn(projects), checked: new Set(), seen });
  return isReached(services) ? services : undefined;
};
