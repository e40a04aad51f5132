// User and groups of the process: credentials(7). Each call sets real, effective and saved id at once, so
// that it cannot be undone.
import { cFunction, type Libc } from '../../libc.ts';
import { words32 } from '../memory.ts';

const SETGROUPS = cFunction('int', 'setgroups', 'ulong', 'pointer');
const SETRESGID = cFunction('int', 'setresgid', 'uint', 'uint', 'uint');
const SETRESUID = cFunction('int', 'setresuid', 'uint', 'uint', 'uint');

/** Replaces the supplementary groups. */
export const setGroups = (libc: Libc, groups: readonly number[]): void => {
  libc.call(SETGROUPS, groups.length, words32(...groups));
};

export const setGroupId = (libc: Libc, gid: number): void => {
  libc.call(SETRESGID, gid, gid, gid);
};

export const setUserId = (libc: Libc, uid: number): void => {
  libc.call(SETRESUID, uid, uid, uid);
};
