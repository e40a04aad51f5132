// Checks the free disk space for state and logs, in the data directory or its nearest existing parent.
import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Finding, fine, problem, warning, checkOf } from './finding.ts';
import type { Context } from '../../context.ts';

interface DiskFacts {
  /** Free disk space that an unprivileged user can use, bytes. */
  readonly free: number;
  /** Free inodes. A file system without a fixed number of inodes has 0 here and in `totalFiles`. */
  readonly freeFiles: number;
  readonly totalFiles: number;
}

const MIB = 1024 * 1024;
/** Bytes below which the disk is a problem; below `LITTLE` it is a warning. */
const LEAST = 16 * MIB;
const LITTLE = 256 * MIB;
const FEW_FILES = 1000;

const MEND = 'make room: logs are bounded by logs.max_bytes and max_files';

/** Checks the free bytes, then the free inodes. Their number is fixed unless `totalFiles` is 0. */
const judge = ({ free, freeFiles, totalFiles }: DiskFacts): readonly Finding[] => {
  const says = `${Math.floor(free / MIB)} MiB are free`;
  if (free < LEAST) return [problem('disk', says, MEND)];
  if (totalFiles > 0 && freeFiles < FEW_FILES)
    return [warning('disk', `only ${freeFiles} more files can be made`, MEND)];
  return [free < LITTLE ? warning('disk', says, MEND) : fine('disk', says)];
};

const nearest = (path: string): string => (existsSync(path) ? path : nearest(dirname(path)));

const look = async ({ dataDir }: Context): Promise<DiskFacts> => {
  const { bsize, bavail, ffree, files } = await statfs(nearest(dataDir));
  return { free: bsize * bavail, freeFiles: ffree, totalFiles: files };
};

export const disk = checkOf('disk', { look, judge });
