// Reports CPU time and memory of the supervisor itself.
import { lockHolder } from '../../../sources/store/lock.ts';
import { supervisorUsage } from '../../../client/inspect/process-usage.ts';
import type { Context } from '../../context.ts';
import type { UsageNow } from '../../../sources/metrics/usage-now.ts';
import { type Finding, fine, checkOf } from './finding.ts';

const MIB = 1024 * 1024;

const look = async ({ dataDir }: Context): Promise<UsageNow | undefined> => {
  const pid = lockHolder(dataDir);
  return pid === undefined ? undefined : supervisorUsage(pid);
};

/** Reports the supervisor's memory, and its average CPU use since its start in percent of one core. */
const judge = (found: UsageNow | undefined): readonly Finding[] => {
  if (found === undefined) return [];
  const cpu = `the supervisor has used ${found.cpuPercent.toFixed(1)} % of a core since it began`;
  return [fine('usage', `${cpu}, and has ${(found.rssBytes / MIB).toFixed(1)} MiB of memory`)];
};

export const usage = checkOf('usage', { look, judge });
