// Checks the free disk space in the data directory or its nearest existing parent, the limit for all logs
// together (`logs/total_max_bytes`), and whether rotated logs can be compressed.
import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Finding, fine, problem, warning, checkOf } from './finding.ts';
import { connectIfRunning } from '../../../client/wait-for-supervisor.ts';
import { peekSettings } from '../../../manifest/settings/load-settings.ts';
import { allLogFiles, bytesOf } from '../../../sinks/logs/file/find-log-files.ts';
import type { Context } from '../../context.ts';

interface DiskFacts {
  /** Free disk space that an unprivileged user can use, bytes. */
  readonly free: number;
  /** Free inodes. A file system without a fixed number of inodes has 0 here and in `totalFiles`. */
  readonly freeFiles: number;
  readonly totalFiles: number;
}

const MIB = 1024 * 1024;
/**
 * Free disk space below which `sup doctor` reports a problem, bytes. Below `LOW_FREE_BYTES` it reports a
 * warning.
 */
const MIN_FREE_BYTES = 16 * MIB;
const LOW_FREE_BYTES = 256 * MIB;
const MIN_FREE_FILES = 1000;

const MEND = 'make room: logs are bounded by logs.max_bytes and max_files';

/** Checks the free bytes, then the free inodes. If `totalFiles` is 0, the number of inodes is not fixed. */
const judge = ({ free, freeFiles, totalFiles }: DiskFacts): readonly Finding[] => {
  const says = `${Math.floor(free / MIB)} MiB are free`;
  if (free < MIN_FREE_BYTES) return [problem('disk', says, MEND)];
  if (totalFiles > 0 && freeFiles < MIN_FREE_FILES)
    return [warning('disk', `only ${freeFiles} more files can be made`, MEND)];
  return [free < LOW_FREE_BYTES ? warning('disk', says, MEND) : fine('disk', says)];
};

const nearest = (path: string): string => (existsSync(path) ? path : nearest(dirname(path)));

const look = async ({ dataDir }: Context): Promise<DiskFacts> => {
  const { bsize, bavail, ffree, files } = await statfs(nearest(dataDir));
  return { free: bsize * bavail, freeFiles: ffree, totalFiles: files };
};

export const disk = checkOf('disk', { look, judge });

interface LogFacts {
  /** The limit for all log files together (`logs/total_max_bytes`), bytes; 0 means no limit. */
  readonly most: number;
  /** The sizes of the current log files and of all log files; absent if there is no limit. */
  readonly spent?: { readonly activeBytes: number; readonly totalBytes: number };
  /** Warnings of the supervisor about rotated logs. */
  readonly warnings: readonly string[];
}

/** Timeout for the supervisor's answer, ms. */
const ANSWER_MS = 2_000;

const budgetFinding = ({ most, spent }: LogFacts): readonly Finding[] => {
  if (spent === undefined) return [];
  const limit = `${(most / MIB).toFixed(1)} MiB (logs/total_max_bytes)`;
  const says = `${(spent.totalBytes / MIB).toFixed(1)} MiB in log files, of at most ${limit}`;
  return spent.activeBytes > most
    ? [
        warning(
          'logs',
          `${says}: the active files alone exceed it`,
          'raise logs/total_max_bytes, or lower logs.max_bytes',
        ),
      ]
    : [fine('logs', says)];
};

const judgeLogs = (facts: LogFacts): readonly Finding[] => [
  ...budgetFinding(facts),
  ...facts.warnings.map((text, at) =>
    warning(
      at === 0 ? 'rotated logs' : `rotated logs ${at + 1}`,
      text,
      'make room, or correct owner and mode',
    ),
  ),
];

/** Resolves to the supervisor's warnings about rotated logs; to an empty list if it does not answer. */
const warningsOf = async ({ dataDir }: Context): Promise<readonly string[]> => {
  const client = await connectIfRunning(dataDir).catch(() => undefined);
  if (client === undefined) return [];
  try {
    const { supervisor } = await client.call('status', {}, { timeoutMs: ANSWER_MS });
    return supervisor.warnings.filter((text) => text.endsWith('(ERR0727)'));
  } catch {
    return [];
  } finally {
    client.close();
  }
};

const lookAtLogs = async (context: Context): Promise<LogFacts> => {
  const { layout, world } = context;
  const most = peekSettings(layout.settings, world.environment).settings.logs.totalMaxBytes;
  const warnings = await warningsOf(context);
  if (most === 0) return { most, warnings };
  const files = (await allLogFiles(layout.supervisorLogs)).flat();
  const activeBytes = bytesOf(files.filter(({ kind }) => kind === 'active'));
  return { most, warnings, spent: { activeBytes, totalBytes: bytesOf(files) } };
};

export const logs = checkOf('logs', { look: lookAtLogs, judge: judgeLogs });
