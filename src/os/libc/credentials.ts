// Sets what this process may do: user and groups (credentials(7)), capabilities (capabilities(7)), keyring
// (session-keyring(7)), prctl(2), and the system call filter (seccomp(2)).
import { errnoName } from '../errno.ts';
import { words32 } from './c-memory.ts';
import { cFunction, type Libc, Refused } from './libc.ts';

const CAPSET = cFunction('int', 'capset', 'pointer', 'pointer');
const VERSION_3 = 0x20080522;
const LOW = 0xffffffffn;

interface CapabilitySets {
  readonly effective: bigint;
  readonly permitted: bigint;
  readonly inheritable: bigint;
}

/** Sets all three capability sets; bit n stands for capability n. */
export const setCapabilities = (libc: Libc, sets: CapabilitySets): void => {
  const { effective, permitted, inheritable } = sets;
  const half = (shift: bigint): readonly number[] =>
    [effective, permitted, inheritable].map((set) => Number((set >> shift) & LOW));
  libc.call(CAPSET, words32(VERSION_3, 0), words32(...half(0n), ...half(32n)));
};

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

const KEYCTL = cFunction('long', 'syscall', 'long', 'int', 'pointer');

/** The number of the system call keyctl, for which glibc has no function. */
const SYS_KEYCTL: Partial<Record<NodeJS.Architecture, number>> = { x64: 250, arm64: 219 };
const JOIN_SESSION_KEYRING = 1;

/**
 * Gives the calling thread, and the processes that it starts, a new empty session keyring. Returns the name
 * of the error if the kernel refuses.
 */
export const joinSessionKeyring = (libc: Libc): string | undefined => {
  const keyctl = SYS_KEYCTL[process.arch];
  if (keyctl === undefined) return 'ENOSYS';
  const { value, errno } = libc.ask(KEYCTL, keyctl, JOIN_SESSION_KEYRING, null);
  return value === -1 ? errnoName(errno) : undefined;
};

const PRCTL = cFunction('int', 'prctl', 'int', 'ulong', 'ulong', 'ulong', 'ulong');
const PRCTL_POINTER = cFunction('int', 'prctl', 'int', 'ulong', 'pointer', 'ulong', 'ulong');

const PR_SET_PDEATHSIG = 1;
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
const SIGKILL = 9;
const EBUSY = 16;

/** Until the next exec, makes permitted capabilities survive a change of user. */
export const keepCapabilities = (libc: Libc): void => {
  libc.call(PRCTL, PR_SET_KEEPCAPS, 1, 0, 0, 0);
};

/** Until the next exec, lets only root trace this process or open its memory. */
export const setUndumpable = (libc: Libc): void => {
  libc.call(PRCTL, PR_SET_DUMPABLE, 0, 0, 0, 0);
};

/** Sets `no_new_privs` for good: later execs gain no privileges by set-user-ID or file capabilities. */
export const setNoNewPrivileges = (libc: Libc): void => {
  libc.call(PRCTL, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
};

/** True if the bounding set contains the capability; `undefined` if the kernel does not know it. */
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

/** Raises an ambient capability; it must already be permitted and inheritable. */
export const raiseAmbient = (libc: Libc, capability: number): void => {
  libc.call(PRCTL, PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, capability, 0, 0);
};

/** Installs a seccomp filter. `program`: a `struct sock_fprog`. */
const setSeccompFilter = (libc: Libc, program: Buffer): void => {
  libc.call(PRCTL_POINTER, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program, 0, 0);
};

const INSTRUCTION_BYTES = 8;

/** Returns a `struct sock_fprog` that points to the instructions. */
const filterDescription = (libc: Libc, program: Buffer): Buffer => {
  const description = Buffer.alloc(16);
  description.writeUInt16LE(program.length / INSTRUCTION_BYTES);
  description.writeBigUInt64LE(BigInt(libc.addressOf(program)), 8);
  return description;
};

/** Installs a seccomp filter for good, from encoded instructions. Needs `no_new_privs` or CAP_SYS_ADMIN. */
export const installFilter = (libc: Libc, program: Buffer): void => {
  setSeccompFilter(libc, filterDescription(libc, program));
};

const SECCOMP = cFunction('long', 'syscall', 'long', 'uint', 'uint', 'pointer');
const SYS_SECCOMP: Partial<Record<NodeJS.Architecture, number>> = { x64: 317, arm64: 277 };
const SET_MODE_FILTER = 1;
const FILTER_FLAG_TSYNC = 1;

/** Installs a seccomp filter for all threads of this process. Throws `Refused`. Needs `no_new_privs`. */
export const installFilterEverywhere = (libc: Libc, program: Buffer): void => {
  const call = SYS_SECCOMP[process.arch];
  if (call === undefined) throw new Error(`system calls of ${process.arch} are not known`);
  const description = filterDescription(libc, program);
  const { value, errno } = libc.ask(SECCOMP, call, SET_MODE_FILTER, FILTER_FLAG_TSYNC, description);
  // A positive result is the id of a thread that has another filter.
  if (value !== 0) throw new Refused('seccomp', value === -1 ? errno : EBUSY);
};

/** Makes the kernel send SIGKILL to this process when its parent ends. */
export const dieWithParent = (libc: Libc): void => {
  libc.call(PRCTL, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
};
