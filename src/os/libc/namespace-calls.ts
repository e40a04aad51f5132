// Moves the calling process into namespaces (unshare(2), setns(2)). Directories are hidden in a new mount
// namespace, by an empty, read-only tmpfs over each of them. If a file system is mounted later outside of
// this namespace, it appears also inside. The credentials of a service are put into a file system in memory,
// which is mounted over a directory in the same way.
import { closeSync, existsSync, fstatSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { errnoOf } from '../errno.ts';
import { makeDirectory } from '../files/directories.ts';
import { cString } from './c-memory.ts';
import { cFunction, type Libc } from './libc.ts';
import { statOfProcess } from '../proc/process-stat.ts';
import type { ProcessRef } from '../../streams/domain/service/process.ts';
import { HIDDEN_SOURCE } from '../../streams/domain/service/process-confinement.ts';

const UNSHARE = cFunction('int', 'unshare', 'int');
const SETNS = cFunction('int', 'setns', 'int', 'int');
const MOUNT = cFunction('int', 'mount', 'pointer', 'pointer', 'pointer', 'ulong', 'pointer');
const SOCKET = cFunction('int', 'socket', 'int', 'int', 'int');
const IOCTL = cFunction('int', 'ioctl', 'int', 'ulong', 'pointer');

const FLAGS = { mount: 0x2_0000, pid: 0x2000_0000, network: 0x4000_0000 } as const;
type NamespaceKind = keyof typeof FLAGS;

/**
 * Moves this process into a new namespace. For `pid`, only its later children are moved. User namespaces are
 * missing here, because they need a process with one thread, and Node has several.
 */
export const enterNamespace = (libc: Libc, kind: NamespaceKind): void => {
  libc.call(UNSHARE, FLAGS[kind]);
};

const FILES = { mount: 'mnt', pid: 'pid_for_children', network: 'net' } as const;

/** Joins a namespace of a running process. Throws if the process has ended, because its pid may be reused. */
export const joinNamespace = (libc: Libc, kind: NamespaceKind, process: ProcessRef): void => {
  const descriptor = openSync(`/proc/${process.pid}/ns/${FILES[kind]}`, 'r');
  try {
    if (statOfProcess(process) === undefined) throw new Error('the service ended meanwhile');
    libc.call(SETNS, descriptor, FLAGS[kind]);
  } finally {
    closeSync(descriptor);
  }
};

const MS_REC = 0x4000;
const MS_PRIVATE = 0x4_0000;

/**
 * Separates later mounts: mounts inside of this namespace are invisible outside, and mounts outside are
 * invisible inside.
 */
export const makeMountsPrivate = (libc: Libc): void => {
  libc.call(MOUNT, cString('none'), cString('/'), null, MS_REC | MS_PRIVATE, null);
};

const AF_INET = 2;
const SOCK_DGRAM = 2;
const SIOCGIFFLAGS = 0x8913;
const SIOCSIFFLAGS = 0x8914;
const IFF_UP = 1;
const IFREQ_BYTES = 40;
const FLAGS_AT = 16;

/** Brings up the loopback device, which is down in a new network namespace. */
export const bringLoopbackUp = (libc: Libc): void => {
  const socket = libc.call(SOCKET, AF_INET, SOCK_DGRAM, 0);
  try {
    const request = Buffer.alloc(IFREQ_BYTES);
    request.write('lo');
    libc.call(IOCTL, socket, SIOCGIFFLAGS, request);
    request.writeInt16LE(request.readInt16LE(FLAGS_AT) | IFF_UP, FLAGS_AT);
    libc.call(IOCTL, socket, SIOCSIFFLAGS, request);
  } finally {
    closeSync(socket);
  }
};

const MS_RDONLY = 0x1;
const MS_NOSUID = 0x2;
const MS_NODEV = 0x4;
const MS_NOEXEC = 0x8;
const MS_REMOUNT = 0x20;
const MS_BIND = 0x1000;
const MS_SLAVE = 0x8_0000;
/** A flag of open(2): the descriptor only refers to the path and cannot read or write. */
const O_PATH = 0x20_0000;

/**
 * A path, and a descriptor that still refers to the file at this path after another mount has covered the
 * path.
 */
interface OpenedPath {
  readonly path: string;
  readonly descriptor: number;
}

/** Opens the paths that exist. */
export const openPaths = (paths: readonly string[]): readonly OpenedPath[] =>
  paths.filter((path) => existsSync(path)).map((path) => ({ path, descriptor: openSync(path, O_PATH) }));

export const closePaths = (kept: readonly OpenedPath[]): void => {
  for (const { descriptor } of kept) closeSync(descriptor);
};

/** Options of a file system that contains only directories, empty files and links. */
export const ONLY_NAMES = 'mode=0755,size=64k,nr_inodes=64';

/** Mounts an empty file system in memory over a directory. */
export const cover = (libc: Libc, place: string, options: string): void => {
  const flags = MS_NOSUID | MS_NODEV;
  libc.call(MOUNT, cString(HIDDEN_SOURCE), cString(place), cString('tmpfs'), flags, cString(options));
};

/** Mounts the opened file or directory at its old path, which is created if it is missing. */
export const bindBack = (libc: Libc, { path, descriptor }: OpenedPath): void => {
  const isDirectory = fstatSync(descriptor).isDirectory();
  makeDirectory(isDirectory ? path : dirname(path), 0o755);
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o444));
  const from = cString(`/proc/self/fd/${descriptor}`);
  libc.call(MOUNT, from, cString(path), null, MS_BIND | MS_REC, null);
};

const close = (libc: Libc, place: string): void => {
  const flags = MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV;
  libc.call(MOUNT, null, cString(place), null, flags, null);
};

/** Enters a new mount namespace. Later mounts outside appear in it; mounts in it do not appear outside. */
const enterSlave = (libc: Libc): void => {
  enterNamespace(libc, 'mount');
  libc.call(MOUNT, cString('none'), cString('/'), null, MS_REC | MS_SLAVE, null);
};

/** Hides the directories `places` in a new mount namespace. The paths `kept` below them stay visible. */
export const hidePlaces = (libc: Libc, places: readonly string[], kept: readonly string[]): void => {
  enterSlave(libc);
  const opened = openPaths(kept);
  const there = places.filter((place) => existsSync(place));
  for (const place of there) cover(libc, place, ONLY_NAMES);
  for (const one of opened) bindBack(libc, one);
  for (const place of there) close(libc, place);
  closePaths(opened);
};

const SEALED = MS_NOSUID | MS_NODEV | MS_NOEXEC;

/**
 * The file systems in memory that are tried, in this order. Files in the first two are never swapped, but not
 * every kernel and user can mount these.
 */
const inMemory = (room: string): readonly (readonly [type: string, options: string])[] => [
  ['tmpfs', `mode=0700,${room},noswap`],
  ['ramfs', 'mode=0700'],
  ['tmpfs', `mode=0700,${room}`],
];

/**
 * The errors of mount(2) that mean: this kernel does not have the file system, or this user may not mount it.
 */
const NOT_HERE: ReadonlySet<string> = new Set(['EINVAL', 'EPERM', 'ENODEV']);

const mountInMemory = (libc: Libc, place: string, room: string): void => {
  const kinds = inMemory(room);
  for (const [at, [type, options]] of kinds.entries())
    try {
      libc.call(MOUNT, cString('sup-credentials'), cString(place), cString(type), SEALED, cString(options));
      return;
    } catch (error) {
      if (at === kinds.length - 1 || !NOT_HERE.has(errnoOf(error) ?? '')) throw error;
    }
};

interface Memory {
  readonly place: string;
  /** The limits of the file system, as options of tmpfs. */
  readonly room: string;
}

/**
 * Mounts a file system in memory over the directory `place`, in a new mount namespace. Calls `fill`, which
 * writes the files, and then makes the file system read-only.
 */
export const mountSealed = (libc: Libc, { place, room }: Memory, fill: () => void): void => {
  enterSlave(libc);
  mountInMemory(libc, place, room);
  fill();
  libc.call(MOUNT, null, cString(place), null, MS_REMOUNT | MS_RDONLY | SEALED, null);
};
