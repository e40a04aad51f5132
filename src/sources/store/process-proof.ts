// Proof of who a process is: its pid, the tick at which it started, and the boot in which it did. A pid alone proves
// nothing, it is used again.
import { readFileSync } from 'node:fs';
import type { ProcessRef } from '../../streams/domain/process.ts';

export interface ProcessProof extends ProcessRef {
  readonly bootId: string;
}

const STATE_FIELD = 3;
const START_FIELD = 22;

export const currentBoot = (): string => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();

/** The tick at which the living process of that pid started; `undefined` for the dead, zombies among them. */
export const startTicksOf = (pid: number): number | undefined => {
  const fields = statFields(pid);
  const dead = ['Z', 'X'].includes(fields[STATE_FIELD - 1] ?? 'X');
  return dead ? undefined : Number(fields[START_FIELD - 1]);
};

/** The program's name may hold blanks and brackets: what follows the last bracket is regular. */
const statFields = (pid: number): readonly string[] => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const end = text.lastIndexOf(')');
    return [String(pid), 'name', ...text.slice(end + 2).split(' ')];
  } catch {
    return [];
  }
};

export const proofOfSelf = (): ProcessProof => ({
  pid: process.pid,
  startTicks: startTicksOf(process.pid) ?? 0,
  bootId: currentBoot(),
});

export const isAlive = ({ pid, startTicks, bootId }: ProcessProof): boolean =>
  bootId === currentBoot() && startTicksOf(pid) === startTicks;
