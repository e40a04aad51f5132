// Room for state and logs.
import { fine, problem, warning, type Finding } from './finding.ts';

interface DiskFacts {
  /** Bytes that an ordinary user may still write. */
  readonly free: number;
  /** Files that may still be made; 0 of 0 where the file system does not count them. */
  readonly freeFiles: number;
  readonly totalFiles: number;
}

const MIB = 1024 * 1024;
/** State files are written twice over before the old one goes. */
const LEAST = 16 * MIB;
const LITTLE = 256 * MIB;
const FEW_FILES = 1000;

const MEND = 'make room: logs are bounded by logs.max_bytes and max_files';

/** Bytes first, then files (where the file system counts them: `totalFiles` is 0 elsewhere). */
export const judgeDisk = ({ free, freeFiles, totalFiles }: DiskFacts): Finding => {
  const says = `${Math.floor(free / MIB)} MiB are free`;
  if (free < LEAST) return problem('disk', says, MEND);
  if (totalFiles > 0 && freeFiles < FEW_FILES)
    return warning('disk', `only ${freeFiles} more files can be made`, MEND);
  return free < LITTLE ? warning('disk', says, MEND) : fine('disk', says);
};
