// Waits for services to stop when no supervisor runs, or it has just ended, by what it recorded last. No
// other goal can be reached without a supervisor.
import { setTimeout as pause } from 'node:timers/promises';
import { startTicksOf } from '../../../os/proc/process-stat.ts';
import type { Selection } from '../../../streams/domain/command.ts';
import type { Context } from '../../context.ts';
import { idsIn, isReached, judged, seenIn, type Judged } from './awaited.ts';

/** Time after which its last records are on disk. */
const LAST_WORDS_MS = 2_000;
const LOOK_EVERY_MS = 20;

/** A process, safe from reuse of its pid. */
interface Identity {
  readonly pid: number;
  readonly startTicks: number | undefined;
}

/** Settles when that supervisor has exited, or has had time to write its last records. */
export const goneBy = async ({ pid, startTicks }: Identity): Promise<void> => {
  const began = performance.now();
  while (startTicks !== undefined && startTicksOf(pid) === startTicks) {
    if (performance.now() - began > LAST_WORDS_MS) return;
    await pause(LOOK_EVERY_MS);
  }
};

/** The services as recorded; `undefined` if one of them is not stopped. */
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
