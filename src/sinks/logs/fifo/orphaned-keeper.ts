// Finds what a killed keeper left: its children still hold or read FIFOs. They are in its process group, and
// carry its mark.
import { isGone } from '../../../os/errno.ts';
import { statReader } from '../../../os/proc/proc-stat.ts';
import { environmentOf, processIds } from '../../../os/proc/proc.ts';
import { isWholly, userIdsOf } from '../../../os/proc/user-ids.ts';
import type { ProcessRef } from '../../../streams/domain/service/process.ts';

/** Set in the environment of a keeper and its children. */
export const KEEPER = 'SUP_KEEPER';

/** True if the group exists. Most recorded groups are gone, so the process table is rarely read. */
const isGroup = (group: number): boolean => {
  try {
    return process.kill(-group, 0);
  } catch (error) {
    return !isGone(error);
  }
};

/**
 * True if the process belongs to this supervisor's keeper: another one's may lead a group of that number by
 * now.
 */
const isOf = (dataDir: string, pid: number): boolean => {
  if (!isWholly(process.getuid?.() ?? 0, userIdsOf(pid))) return false;
  const environment = environmentOf(pid);
  return (
    environment.includes(`SUP_DATA_DIR=${dataDir}`) && environment.some((one) => one.startsWith(`${KEEPER}=`))
  );
};

/**
 * True if the leader is dead and a process of its group lives. While one lives the pid is not reused; later a
 * stranger may have led such a group, without the mark. Throws when the process table cannot be read.
 */
export const isOrphaned = ({ pid: group, startTicks }: ProcessRef, dataDir: string): boolean => {
  if (!isGroup(group)) return false;
  const read = statReader();
  const leader = read(group);
  if (leader !== undefined && leader.startTicks !== startTicks) return false;
  return processIds().some((pid) => {
    const stat = read(pid);
    if (stat?.group !== group || stat.zombie || stat.startTicks < startTicks) return false;
    return isOf(dataDir, pid);
  });
};
