// Namespaces of the calling process: unshare(2), and the setup of new ones.
import { closeSync, openSync } from 'node:fs';
import type { ProcessRef } from '../../../streams/domain/service/process.ts';
import { statOfProcess } from '../../proc/proc-stat.ts';
import { cFunction, type Libc } from '../../libc.ts';
import { cString } from '../memory.ts';

const UNSHARE = cFunction('int', 'unshare', 'int');
const SETNS = cFunction('int', 'setns', 'int', 'int');
const MOUNT = cFunction('int', 'mount', 'pointer', 'pointer', 'pointer', 'ulong', 'pointer');
const SOCKET = cFunction('int', 'socket', 'int', 'int', 'int');
const IOCTL = cFunction('int', 'ioctl', 'int', 'ulong', 'pointer');

const FLAGS = { mount: 0x2_0000, pid: 0x2000_0000, network: 0x4000_0000 } as const;
type NamespaceKind = keyof typeof FLAGS;

/**
 * Enters a new namespace. `pid` affects later children, and no thread can be started any more. A user
 * namespace cannot be entered: Node has threads, and the kernel returns EINVAL.
 */
export const enterNamespace = (libc: Libc, kind: NamespaceKind): void => {
  libc.call(UNSHARE, FLAGS[kind]);
};

const FILES = { mount: 'mnt', pid: 'pid_for_children', network: 'net' } as const;

/** Joins the namespace of a running process. Throws if the process is gone: its pid may have been reused. */
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

/** Separates mounts: later ones stay in here, and mounts outside do not appear. */
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
