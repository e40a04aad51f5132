// The guardian of a data directory, in the process table: between the death of a supervisor and the next one it is all
// there is of them. Whoever only asks looks where a lock was left behind: an orderly end leaves none.
import { existsSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { statReader } from '../../os/proc/proc-stat.ts';
import { isWholly, userIdsOf } from '../../os/proc/user-ids.ts';
import { processIds } from '../../os/proc/proc.ts';
import type { ProcessRef } from '../../streams/domain/service/process.ts';
import { layoutOf } from '../../streams/wire/layout.ts';

const mountsOf = (pid: number | 'self'): string => readlinkSync(`/proc/${pid}/ns/mnt`);

/** In a container the same path is another directory. Of one that is not there any more only its mounts tell. */
const isSamePlace = (pid: number, dataDir: string): boolean => {
  const [here, there] = [dataDir, `/proc/${pid}/root${dataDir}`].map((path) =>
    statSync(path, { throwIfNoEntry: false }),
  );
  if (here === undefined || there === undefined) return mountsOf(pid) === mountsOf('self');
  return here.dev === there.dev && here.ino === there.ino;
};

/**
 * `/bin/sh <path>/sup-guardian <data directory> …`, ours. The user is asked first: the command line lies in the memory of
 * the process, and that of another user could make us wait for ever. The owner of `/proc/<pid>` would not do: of a process
 * that made itself undumpable that is root.
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

/** All of them, whatever is left of the directory. Throws when the process table cannot be read. */
export const guardiansOf = (dataDir: string): readonly ProcessRef[] => {
  const read = statReader();
  return processIds().flatMap((pid) => {
    if (!isGuardian(pid, dataDir)) return [];
    const stat = read(pid);
    // Its own child between fork and exec is called as it is.
    if (stat === undefined || stat.zombie || isGuardian(stat.parent, dataDir)) return [];
    return [{ pid, startTicks: stat.startTicks }];
  });
};

/** Throws when the process table cannot be read. */
export const guardianOf = (dataDir: string): ProcessRef | undefined =>
  existsSync(layoutOf(dataDir).lock) ? guardiansOf(dataDir)[0] : undefined;

const commandOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
};

/** The supervisor that it has begun; `undefined`: it pauses, or is between two. Throws when the process table cannot be read. */
export const wardOf = ({ pid }: ProcessRef): number | undefined => {
  const read = statReader();
  return processIds().find((each) => {
    const stat = read(each);
    return stat?.parent === pid && !stat.zombie && !/^([^\0]*\/)?sleep\0/.test(commandOf(each));
  });
};
