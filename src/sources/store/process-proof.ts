// Identifies a process by its pid, its start tick, and its boot. A pid alone proves nothing, since it is
// reused.
import { currentBoot } from '../../os/proc/boot-id.ts';
import { startTicksOf } from '../../os/proc/proc-stat.ts';
import type { ProcessRef } from '../../streams/domain/service/process.ts';

export interface ProcessProof extends ProcessRef {
  readonly bootId: string;
}

/** Returns the proof of this process. */
export const proofOfSelf = (): ProcessProof => ({
  pid: process.pid,
  startTicks: startTicksOf(process.pid) ?? 0,
  bootId: currentBoot(),
});

/** True if exactly this process is alive. */
export const isAlive = ({ pid, startTicks, bootId }: ProcessProof): boolean =>
  bootId === currentBoot() && startTicksOf(pid) === startTicks;
