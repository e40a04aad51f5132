// prctl(2): settings of a process for itself.
import { cFunction, type Libc } from '../../libc.ts';

const PRCTL = cFunction('int', 'prctl', 'int', 'ulong', 'ulong', 'ulong', 'ulong');
const PRCTL_POINTER = cFunction('int', 'prctl', 'int', 'ulong', 'pointer', 'ulong', 'ulong');

const PR_SET_DUMPABLE = 4;
const PR_SET_KEEPCAPS = 8;
const PR_SET_SECCOMP = 22;
const PR_CAPBSET_READ = 23;
const PR_CAPBSET_DROP = 24;
const PR_SET_NO_NEW_PRIVS = 38;
const PR_CAP_AMBIENT = 47;
const PR_CAP_AMBIENT_RAISE = 2;
const PR_CAP_AMBIENT_CLEAR_ALL = 4;
const SECCOMP_MODE_FILTER = 2;

/** Keeps permitted capabilities across the change to another user, until the next exec. */
export const keepCapabilities = (libc: Libc): void => {
  libc.call(PRCTL, PR_SET_KEEPCAPS, 1, 0, 0, 0);
};

/** Until the next exec only root can trace the process, or open its memory. */
export const setUndumpable = (libc: Libc): void => {
  libc.call(PRCTL, PR_SET_DUMPABLE, 0, 0, 0, 0);
};

/** Keeps later execs from gaining privileges: no setuid, no file capabilities. Cannot be undone. */
export const setNoNewPrivileges = (libc: Libc): void => {
  libc.call(PRCTL, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
};

/** True if the bounding set has the capability, else false; `undefined` if the kernel does not know it. */
export const inBoundingSet = (libc: Libc, capability: number): boolean | undefined => {
  const { value } = libc.ask(PRCTL, PR_CAPBSET_READ, capability, 0, 0, 0);
  return value === -1 ? undefined : value === 1;
};

export const dropFromBoundingSet = (libc: Libc, capability: number): void => {
  libc.call(PRCTL, PR_CAPBSET_DROP, capability, 0, 0, 0);
};

export const clearAmbient = (libc: Libc): void => {
  libc.call(PRCTL, PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
};

/** Raises a capability that is permitted and inheritable already. */
export const raiseAmbient = (libc: Libc, capability: number): void => {
  libc.call(PRCTL, PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, capability, 0, 0);
};

/** `program`: a `struct sock_fprog`. */
export const setSeccompFilter = (libc: Libc, program: Buffer): void => {
  libc.call(PRCTL_POINTER, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program, 0, 0);
};
