// What a keeper leaves behind that was killed by itself: whoever it had begun holds FIFOs, or reads them, for nobody. They
// are in its process group, and carry its mark.
import { isGone } from '../../../os/errno.ts';
import { statReader } from '../../../os/proc/proc-stat.ts';
import { environmentOf, processIds } from '../../../os/proc/proc.ts';
import { isWholly, userIdsOf } from '../../../os/proc/user-ids.ts';
import type { ProcessRef } from '../../../streams/domain/service/process.ts';

/** In the environment of a keeper and of whoever it begins. */
export const KEEPER = 'SUP_KEEPER';

/** Most records are of groups that are gone: the process table is only read for one that is there. */
const isGroup = (group: number): boolean => {
  try {
    return process.kill(-group, 0);
  } catch (error) {
    return !isGone(error);
  }
};

/** Another supervisor's keeper may lead a group of that number by now. */
const isOf = (dataDir: string, pid: number): boolean => {
  if (!isWholly(process.getuid?.() ?? 0, userIdsOf(pid))) return false;
  const environment = environmentOf(pid);
  return (
    environment.includes(`SUP_DATA_DIR=${dataDir}`) && environment.some((one) => one.startsWith(`${KEEPER}=`))
  );
};

/**
 * Whether the leader is dead and somebody of its group lives. While one does nobody else is given the pid; after them a stranger
 * may have led a group of that number, which carries no such mark. Throws when the process table cannot be read.
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
