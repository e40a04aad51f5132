// Finds the guardian (the shell that restarts a supervisor) of a data directory in the process table. The
// table is searched only if a lock file exists: an orderly shutdown removes the lock file.
import { existsSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { statReader } from '../../os/proc/process-stat.ts';
import { isWholly, processIds, userIdsOf } from '../../os/proc/process-facts.ts';
import type { ProcessRef } from '../../streams/domain/service/process.ts';
import { layoutOf } from '../../streams/wire/layout.ts';

const mountsOf = (pid: number | 'self'): string => readlinkSync(`/proc/${pid}/ns/mnt`);

/**
 * True if the path leads to the same directory for process `pid` as for this process. For a process in a
 * container it may lead to another directory.
 */
const isSamePlace = (pid: number, dataDir: string): boolean => {
  const [here, there] = [dataDir, `/proc/${pid}/root${dataDir}`].map((path) =>
    statSync(path, { throwIfNoEntry: false }),
  );
  if (here === undefined || there === undefined) return mountsOf(pid) === mountsOf('self');
  return here.dev === there.dev && here.ino === there.ino;
};

/**
 * True if the process is a guardian of this directory: `/bin/sh <path>/sup-guardian <data directory> …`, run
 * by our user. The user is checked first, because reading the command line of another user's process could
 * block forever. The owner of `/proc/<pid>` is no proof of the user: for an undumpable process it is root.
 */
export const isGuardian = (pid: number, dataDir: string): boolean => {
  try {
    if (!isWholly(process.getuid?.() ?? 0, userIdsOf(pid))) return false;
    const [, script = '', place] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    if (place !== dataDir || !/\/sup-guardian(\.sh)?$/.test(script)) return false;
    return isSamePlace(pid, dataDir);
  } catch {
    return false;
  }
};

/** Returns all guardians of the data directory. Throws if the process table cannot be read. */
export const guardiansOf = (dataDir: string): readonly ProcessRef[] => {
  const read = statReader();
  return processIds().flatMap((pid) => {
    if (!isGuardian(pid, dataDir)) return [];
    const stat = read(pid);
    // Between fork and exec, a child of the guardian has the command line of the guardian. It is left out.
    if (stat === undefined || stat.zombie || isGuardian(stat.parent, dataDir)) return [];
    return [{ pid, startTicks: stat.startTicks }];
  });
};

/** Returns the guardian of the data directory, if any. Throws if the process table cannot be read. */
export const guardianOf = (dataDir: string): ProcessRef | undefined =>
  existsSync(layoutOf(dataDir).lock) ? guardiansOf(dataDir)[0] : undefined;

const commandOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
};

/** Returns the pid of the supervisor of this guardian, if it runs. Throws if `/proc` cannot be read. */
export const wardOf = ({ pid }: ProcessRef): number | undefined => {
  const read = statReader();
  return processIds().find((each) => {
    const stat = read(each);
    return stat?.parent === pid && !stat.zombie && !/^([^\0]*\/)?sleep\0/.test(commandOf(each));
  });
};
