// Makes the mounts of `isolation.protect` in a new mount namespace (mount_namespaces(7)): covers directories,
// and makes mounts read-only with mount_setattr(2). Each mount is changed separately, and only the read-only
// flag is added, so that the other flags of the mount stay.
import { existsSync, realpathSync, symlinkSync } from 'node:fs';
import type { ProtectSpec } from '../../streams/domain/declared/spec.ts';
import { errnoOf } from '../errno.ts';
import { isDirectory, makeDirectory } from '../files/directories.ts';
import { mountsOf } from '../proc/mount-table.ts';
import { cString, words64 } from './c-memory.ts';
import { cFunction, type Libc } from './libc.ts';
import {
  bindBack,
  closePaths,
  cover,
  enterNamespace,
  makeMountsPrivate,
  ONLY_NAMES,
  openPaths,
} from './namespace-calls.ts';

const MOUNT = cFunction('int', 'mount', 'pointer', 'pointer', 'pointer', 'ulong', 'pointer');
const SETATTR = cFunction('long', 'syscall', 'long', 'int', 'pointer', 'uint', 'pointer', 'ulong');

const SYS_MOUNT_SETATTR = 442;
const AT_FDCWD = -100;
const MOUNT_ATTR_RDONLY = 1n;

const MS_NOSUID = 0x2;
const MS_NODEV = 0x4;
const MS_NOEXEC = 0x8;
const MS_BIND = 0x1000;
const MS_REC = 0x4000;

/** The directories of users. */
const HOMES = ['/home', '/root', '/run/user'];
/** The directories of the operating system. */
const OF_SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/boot', '/efi', '/etc'];
const TEMPORARY = ['/tmp', '/var/tmp'];
/** Directories and files with settings of the kernel. */
const SETTINGS = [
  ...['sys', 'sysrq-trigger', 'irq', 'bus', 'fs', 'acpi', 'scsi', 'mtrr', 'latency_stats'].map(
    (name) => `/proc/${name}`,
  ),
  '/sys',
];
/** Files that show the memory of the kernel or its addresses. */
const OF_KERNEL = ['/proc/kcore', '/proc/kallsyms', '/proc/kmsg'];
const DEVICES = ['null', 'zero', 'full', 'random', 'urandom', 'tty', 'ptmx'];
const KEPT_IN_DEV = ['pts', 'mqueue', 'log'];
const LINKS: readonly (readonly [name: string, target: string])[] = [
  ['fd', '/proc/self/fd'],
  ['stdin', '/proc/self/fd/0'],
  ['stdout', '/proc/self/fd/1'],
  ['stderr', '/proc/self/fd/2'],
];

/** Returns the paths that exist, with links resolved, because the kernel lists mounts by resolved paths. */
const resolved = (places: readonly string[]): readonly string[] => [
  ...new Set(places.filter((place) => existsSync(place)).map((place) => realpathSync(place))),
];

const isBelow = (path: string, place: string): boolean =>
  path === place || path.startsWith(place === '/' ? '/' : `${place}/`);

/** Makes a path a mount of its own, with all mounts below it. */
const bindToItself = (libc: Libc, path: string): void => {
  libc.call(MOUNT, cString(path), cString(path), null, MS_BIND | MS_REC, null);
};

/**
 * The errors for a mount that this process cannot change: another mount covers it, or this user may not
 * follow its path.
 */
const UNREACHABLE: ReadonlySet<string> = new Set(['ENOENT', 'EINVAL', 'EACCES', 'ENOTDIR']);

const setReadOnly = (libc: Libc, mount: string): void => {
  const attributes = words64(MOUNT_ATTR_RDONLY, 0n, 0n, 0n);
  try {
    libc.call(SETATTR, SYS_MOUNT_SETATTR, AT_FDCWD, cString(mount), 0, attributes, attributes.length);
  } catch (error) {
    if (!UNREACHABLE.has(errnoOf(error) ?? '')) throw error;
  }
};

/** Makes all mounts at and below these paths read-only, except those for which `stays` is true. */
const readOnlyBelow = (libc: Libc, places: readonly string[], stays: (mount: string) => boolean): void => {
  const there = resolved(places);
  for (const place of there) if (place !== '/') bindToItself(libc, place);
  for (const mount of new Set(mountsOf('self').map(({ path }) => path))) {
    const isMeant = there.some((place) => isBelow(mount, place));
    if (isMeant && !stays(mount)) setReadOnly(libc, mount);
  }
};

/** Replaces `/dev` by a directory that has only devices without hardware, such as `null` and `random`. */
const minimalDevices = (libc: Libc): void => {
  const opened = openPaths([...DEVICES, ...KEPT_IN_DEV].map((name) => `/dev/${name}`));
  cover(libc, '/dev', ONLY_NAMES);
  for (const one of opened) bindBack(libc, one);
  for (const [name, target] of LINKS) symlinkSync(target, `/dev/${name}`);
  makeDirectory('/dev/shm', 0o1777);
  cover(libc, '/dev/shm', 'mode=1777');
  closePaths(opened);
};

/** Mounts a `/proc` that shows only the processes that the reader may trace. */
const ownProcesses = (libc: Libc): void => {
  const flags = MS_NOSUID | MS_NODEV | MS_NOEXEC;
  libc.call(MOUNT, cString('proc'), cString('/proc'), cString('proc'), flags, cString('hidepid=ptraceable'));
};

const coverAll = (libc: Libc, { devices, home, tmp, proc }: ProtectSpec): readonly string[] => {
  const homes = home === 'hidden' ? HOMES.filter(isDirectory) : [];
  const temporary = tmp === undefined ? [] : TEMPORARY.filter(isDirectory);
  for (const place of homes) cover(libc, place, ONLY_NAMES);
  for (const place of temporary) cover(libc, place, 'mode=1777,size=25%');
  if (devices !== undefined) minimalDevices(libc);
  if (proc !== undefined) ownProcesses(libc);
  return [...homes, ...temporary].flatMap((place) => [place, realpathSync(place)]);
};

/** Mounts `/dev/null` over the files that show memory or addresses of the kernel. */
const hideKernel = (libc: Libc): void => {
  for (const path of OF_KERNEL)
    if (existsSync(path)) libc.call(MOUNT, cString('/dev/null'), cString(path), null, MS_BIND, null);
};

interface Paths {
  /** Paths that stay writable, with everything below them. */
  readonly writable: readonly string[];
  /** Paths that stay visible although their directory is covered. */
  readonly kept: readonly string[];
}

const closeFor = (
  libc: Libc,
  { system, home, kernel, tmp }: ProtectSpec,
  writable: readonly string[],
): void => {
  if (kernel !== undefined) {
    hideKernel(libc);
    readOnlyBelow(libc, SETTINGS, () => false);
  }
  const temporary = resolved(TEMPORARY);
  const open = [...resolved(writable), '/dev', '/proc', ...(kernel === undefined ? ['/sys'] : [])];
  // A private temporary directory stays writable. This does not include a kept path below it, which is a
  // mount of its own.
  const stays = (mount: string): boolean =>
    open.some((place) => isBelow(mount, place)) || (tmp !== undefined && temporary.includes(mount));
  if (home === 'read_only') readOnlyBelow(libc, HOMES, stays);
  if (system === 'os_read_only') readOnlyBelow(libc, OF_SYSTEM, stays);
  if (system === 'read_only') readOnlyBelow(libc, ['/'], stays);
};

/** Applies all parts of `isolation.protect`. Throws the kernel's error if it refuses a part. */
export const protectMounts = (libc: Libc, parts: ProtectSpec, { writable, kept }: Paths): void => {
  enterNamespace(libc, 'mount');
  makeMountsPrivate(libc);
  const opened = openPaths(kept);
  const covered = coverAll(libc, parts);
  for (const one of opened)
    if (covered.some((place) => one.path !== place && isBelow(one.path, place))) bindBack(libc, one);
  for (const path of writable) if (existsSync(path)) bindToItself(libc, path);
  if (parts.home === 'hidden') for (const place of HOMES) if (existsSync(place)) setReadOnly(libc, place);
  closeFor(libc, parts, writable);
  closePaths(opened);
};
