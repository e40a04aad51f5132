// CPU and memory of the supervisor itself.
import { lockHolder } from '../../../../sources/store/lock.ts';
import { judgeUsage } from '../../../../streams/doctor/supervisor.ts';
import { supervisorUsage } from '../../../process-usage.ts';
import type { Check } from '../check.ts';

export const usage: Check = {
  name: 'usage',
  look: async ({ dataDir }) => {
    const pid = lockHolder(dataDir);
    const found = pid === undefined ? undefined : await supervisorUsage(pid);
    return found === undefined ? [] : [judgeUsage(found)];
  },
};
