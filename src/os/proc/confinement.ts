// Reads from `/proc/<pid>` how a process is confined: capabilities, seccomp filters and namespaces
// (user_namespaces(7), pid_namespaces(7)).
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { constants } from 'node:os';
import { isGone } from '../errno.ts';
import { textIfThere } from '../files/own-file.ts';
import { linkAt } from './net-sockets.ts';

/** Returns how many ids a `uid_map` or `gid_map` maps, in all its ranges together. */
export const idsMapped = (map: string): number =>
  map
    .split('\n')
    .map((line) => Number(line.trim().split(/\s+/)[2] ?? 0))
    .reduce((all, count) => all + count, 0);

/** Returns a bit set of `/proc/<pid>/status`: bit n is capability n, or signal n + 1. */
const setOf = (status: string, name: string): bigint => {
  const [, hex = '0'] = new RegExp(`^${name}:\\s+([0-9a-f]+)$`, 'm').exec(status) ?? [];
  return BigInt(`0x${hex}`);
};

/** Returns the numbers of the capabilities that are both permitted and in the bounding set. */
export const capabilitiesIn = (status: string): readonly number[] => {
  const both = setOf(status, 'CapPrm') & setOf(status, 'CapBnd');
  return Array.from({ length: 64 }, (_, number) => number).filter(
    (number) => (both & (1n << BigInt(number))) !== 0n,
  );
};

export const ownCapabilities = (): readonly number[] =>
  capabilitiesIn(readFileSync('/proc/self/status', 'latin1'));

interface OwnNamespace {
  /** True for the first user namespace: only its root has all rights on the machine. */
  readonly isInitial: boolean;
  /** Number of uids that are mapped into the namespace. */
  readonly users: number;
  readonly groups: number;
  /** True if processes in the namespace may call setgroups(2). */
  readonly maySetGroups: boolean;
}

/** The link of the machine's first user namespace (the kernel's PROC_USER_INIT_INO). */
const INITIAL = 'user:[4026531837]';

const textOf = (name: string): string | undefined => {
  const text = textIfThere(`/proc/self/${name}`);
  return typeof text === 'string' ? text : undefined;
};

/** Returns the number of mapped ids. On a kernel without user namespaces, returns 2^32 - 1: all ids. */
const mappedIn = (name: string): number => idsMapped(textOf(name) ?? `0 0 ${2 ** 32 - 1}`);

export const ownNamespace = (): OwnNamespace => ({
  isInitial: textOf('uid_map') === undefined || readlinkSync('/proc/self/ns/user') === INITIAL,
  users: mappedIn('uid_map'),
  groups: mappedIn('gid_map'),
  maySetGroups: textOf('setgroups')?.trim() !== 'deny',
});

const NSPID = /^NSpid:\t\d+(?:\t\d+)*\t1$/m;

/**
 * True if the process is the first of a pid namespace and does not handle the signal, which then has no
 * effect.
 */
export const dropsSignal = (pid: number, signal: string): boolean => {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    const number = constants.signals[signal as NodeJS.Signals];
    const heeded = setOf(status, 'SigIgn') | setOf(status, 'SigCgt');
    return NSPID.test(status) && (heeded & (1n << BigInt(number - 1))) === 0n;
  } catch (error) {
    if (isGone(error)) return false;
    throw error;
  }
};

/** Lines of `/proc/<pid>/status` that `confinementOf` returns. */
const LINES = [
  ...['NoNewPrivs', 'Seccomp', 'Seccomp_filters'],
  ...['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'],
  ...['Gid', 'Groups'],
];

/** Returns the fields of a line of `/proc/<pid>/status`; none if the line is absent or empty. */
export const fieldsIn = (status: string, name: string): readonly string[] => {
  const [, text = ''] = new RegExp(`^${name}:[ \\t]*(.*)$`, 'm').exec(status) ?? [];
  return text.trim() === '' ? [] : text.trim().split(/[ \t]+/);
};

const statusOf = (pid: number): string => readFileSync(`/proc/${pid}/status`, 'latin1');

/** Returns the real, effective, saved and file system uid. Throws if the process is gone. */
export const uidsOf = (pid: number): readonly number[] => fieldsIn(statusOf(pid), 'Uid').map(Number);

/** Returns credentials, filters, namespaces and root directory of a process. Throws if unreadable. */
export const confinementOf = (pid: number): Readonly<Record<string, string>> => {
  const status = statusOf(pid);
  const lines = LINES.map((name) => [name, fieldsIn(status, name).join(' ')] as const);
  const namespaces = readdirSync(`/proc/${pid}/ns`).map((name) => `ns/${name}`);
  const links = [...namespaces, 'root'].map((name) => [name, linkAt(`/proc/${pid}/${name}`)] as const);
  return Object.fromEntries([...lines, ...links]);
};
