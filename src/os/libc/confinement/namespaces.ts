// Namespaces of the calling process: unshare(2), and what makes a fresh one usable.
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
 * `pid` is for what is forked from now on, and no thread can be started any more. A user namespace cannot be entered from
 * here at all: Node has threads, and the kernel answers EINVAL.
 */
export const enterNamespace = (libc: Libc, kind: NamespaceKind): void => {
  libc.call(UNSHARE, FLAGS[kind]);
};

const FILES = { mount: 'mnt', pid: 'pid_for_children', network: 'net' } as const;

/** That of a running process. Throws when the process is gone: another one may have its pid by now. */
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

/** What is mounted from now on is seen in here only, and nothing that is mounted outside appears. */
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

/** A new network has a loopback device that is down. */
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
