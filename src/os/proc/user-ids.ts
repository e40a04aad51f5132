// Whose a process is: its user IDs as the kernel tells them. The owner of `/proc/<pid>` says less: it is the effective
// user only, and root for every process that made itself undumpable.
import { readFileSync } from 'node:fs';

export interface UserIds {
  /** The user that began it; a set-user-ID program keeps this one. */
  readonly real: number;
  readonly effective: number;
  readonly saved: number;
}

const LINE = /^Uid:\s+(\d+)\s+(\d+)\s+(\d+)/m;

/** Touches none of the process's own memory, so it never waits for the process. `undefined`: it is gone. */
export const userIdsOf = (pid: number): UserIds | undefined => {
  try {
    const [, real, effective, saved] = LINE.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? [];
    if (real === undefined) return undefined;
    return { real: Number(real), effective: Number(effective), saved: Number(saved) };
  } catch {
    return undefined;
  }
};

/** All three are this user: it is neither a set-user-ID program nor one that keeps a way back to another user. */
export const isWholly = (uid: number, ids: UserIds | undefined): boolean =>
  ids?.real === uid && ids.effective === uid && ids.saved === uid;
