// The user ids of a process, from the kernel. The owner of `/proc/<pid>` says less: it is the effective user
// only, and root for every process that made itself undumpable.
import { readFileSync } from 'node:fs';

export interface UserIds {
  /** The user that started it; a set-user-ID program keeps this one. */
  readonly real: number;
  readonly effective: number;
  readonly saved: number;
}

const LINE = /^Uid:\s+(\d+)\s+(\d+)\s+(\d+)/m;

/** Never waits for the process, since it reads none of its memory. `undefined`: the process is gone. */
export const userIdsOf = (pid: number): UserIds | undefined => {
  try {
    const [, real, effective, saved] = LINE.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? [];
    if (real === undefined) return undefined;
    return { real: Number(real), effective: Number(effective), saved: Number(saved) };
  } catch {
    return undefined;
  }
};

/**
 * True if all three are this user: the process neither is set-user-ID nor can switch back to another user.
 */
export const isWholly = (uid: number, ids: UserIds | undefined): boolean =>
  ids?.real === uid && ids.effective === uid && ids.saved === uid;
