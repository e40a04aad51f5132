// Free disk space for state and logs.
import { fine, problem, warning, type Finding } from './finding.ts';

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
export const judgeDisk = ({ free, freeFiles, totalFiles }: DiskFacts): Finding => {
  const says = `${Math.floor(free / MIB)} MiB are free`;
  if (free < LEAST) return problem('disk', says, MEND);
  if (totalFiles > 0 && freeFiles < FEW_FILES)
    return warning('disk', `only ${freeFiles} more files can be made`, MEND);
  return free < LITTLE ? warning('disk', says, MEND) : fine('disk', says);
};
