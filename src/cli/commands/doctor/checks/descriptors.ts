// Open descriptors of the supervisor, and its limit.
import { readFileSync, readdirSync } from 'node:fs';
import { ROOM } from '../../../../os/own-descriptors.ts';
import { lockHolder } from '../../../../sources/store/lock.ts';
import { judgeDescriptors } from '../../../../streams/doctor/supervisor.ts';
import type { Check } from '../check.ts';

const limitOf = (pid: number): number => {
  const [, soft = ''] = /^Max open files\s+(\S+)/m.exec(readFileSync(`/proc/${pid}/limits`, 'latin1')) ?? [];
  return soft === 'unlimited' ? Infinity : Number(soft);
};

export const descriptors: Check = {
  name: 'descriptors',
  look: ({ dataDir }) => {
    const pid = lockHolder(dataDir);
    if (pid === undefined) return Promise.resolve([]);
    return Promise.resolve([judgeDescriptors(readdirSync(`/proc/${pid}/fd`).length, limitOf(pid), ROOM)]);
  },
};
