// The limit for the log files of all services together (`logs/total_max_bytes`): which rotated files must be
// removed to keep it, the oldest first.
// Rules: `docs/behaviour.md`, "Output", "A limit for all logs together".
import { readdir } from 'node:fs/promises';
import { logFiles, type LogFiles, logNames, type RotatedLog } from './rotated-logs.ts';

interface Spending {
  readonly activeBytes: number;
  /** All files, also the active ones, bytes. */
  readonly totalBytes: number;
  readonly logs: readonly LogFiles[];
}

/** Reads the sizes of the log files of all services, also of those that are no longer declared. */
export const spending = async (logsDirectory: string): Promise<Spending> => {
  const entries = await readdir(logsDirectory, { withFileTypes: true }).catch(() => []);
  const logs: LogFiles[] = [];
  for (const entry of entries) {
    // A link to a directory is one that the user made to have the logs on another disk.
    if (entry.name.startsWith('.') || !(entry.isDirectory() || entry.isSymbolicLink())) continue;
    const names = await logNames(`${logsDirectory}/${entry.name}`);
    for (const [log, files] of names.logs) logs.push(await logFiles(log, files));
  }
  const sum = (sizes: readonly number[]): number => sizes.reduce((bytes, size) => bytes + size, 0);
  const activeBytes = sum(logs.map((log) => log.activeBytes));
  const rotatedBytes = sum(logs.flatMap(({ rotated }) => rotated.map(({ bytes }) => bytes)));
  return { logs, activeBytes, totalBytes: activeBytes + rotatedBytes };
};

/** Returns rotated files with the times by which they are removed: within a log never before an older one. */
const byNumber = ({ rotated }: LogFiles): readonly RotatedLog[] => {
  let oldest = Infinity;
  return rotated.map((file) => {
    oldest = Math.min(oldest, file.at);
    return { ...file, at: oldest };
  });
};

/** Returns the rotated files to remove so that the rest is at most `most` bytes, if that is possible. */
export const overBudget = ({ logs, totalBytes }: Spending, most: number): readonly RotatedLog[] => {
  if (totalBytes <= most) return [];
  const files = logs
    .flatMap(byNumber)
    .toSorted((one, other) => one.at - other.at || other.number - one.number);
  const removed: RotatedLog[] = [];
  for (let bytes = totalBytes; bytes > most;) {
    const file = files[removed.length];
    if (file === undefined) break;
    removed.push(file);
    bytes -= file.bytes;
  }
  return removed;
};
