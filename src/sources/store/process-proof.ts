// Proof of who a process is: its pid, the tick at which it started, and the boot in which it did. A pid alone proves
// nothing, it is used again.
import { currentBoot } from '../../os/proc/boot-id.ts';
import { startTicksOf } from '../../os/proc/proc-stat.ts';
import type { ProcessRef } from '../../streams/domain/service/process.ts';

export interface ProcessProof extends ProcessRef {
  readonly bootId: string;
}

/** Of this process. */
export const proofOfSelf = (): ProcessProof => ({
  pid: process.pid,
  startTicks: startTicksOf(process.pid) ?? 0,
  bootId: currentBoot(),
});

/** Whether the very process lives. */
export const isAlive = ({ pid, startTicks, bootId }: ProcessProof): boolean =>
  bootId === currentBoot() && startTicksOf(pid) === startTicks;
