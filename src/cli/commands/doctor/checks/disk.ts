// Free space for state and logs: in the nearest directory that exists.
import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { judgeDisk } from '../../../../streams/doctor/disk.ts';
import type { Check } from '../check.ts';

const nearest = (path: string): string => (existsSync(path) ? path : nearest(dirname(path)));

export const disk: Check = {
  name: 'disk',
  look: async ({ dataDir }) => {
    const { bsize, bavail, ffree, files } = await statfs(nearest(dataDir));
    const facts = { free: bsize * bavail, freeFiles: ffree, totalFiles: files };
    return [judgeDisk(facts)];
  },
};
