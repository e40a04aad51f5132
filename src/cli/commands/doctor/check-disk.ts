// Free disk space for state and logs, in the nearest directory that exists.
import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Finding, fine, problem, warning, checkOf } from './finding.ts';
import type { Context } from '../../context.ts';

interface DiskFacts {
  /** Bytes available to an unprivileged user. */
  readonly free: number;
  /** Free inodes; 0 of 0 if the file system does not count them. */
  readonly freeFiles: number;
  readonly totalFiles: number;
}

const MIB = 1024 * 1024;
/** A state file is written in full before the old one is removed. */
const LEAST = 16 * MIB;
const LITTLE = 256 * MIB;
const FEW_FILES = 1000;

const MEND = 'make room: logs are bounded by logs.max_bytes and max_files';

/** Checks the bytes first, then the inodes (if the file system counts them: otherwise `totalFiles` is 0). */
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
