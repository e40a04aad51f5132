// Overwrites the blocks of files in place. On a copy-on-write file system (btrfs), a store into a mapped file
// needs new space. A full disk then kills the process (SIGBUS), even if the file was allocated before.
import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { cFunction, type Libc } from '../libc.ts';

const IOCTL = cFunction('int', 'ioctl', 'int', 'ulong', 'pointer');
const GET_FLAGS = 0x8008_6601;
const SET_FLAGS = 0x4008_6602;
const NO_COPY = 0x0080_0000;

/** Magic numbers of statfs(2): btrfs, bcachefs, ZFS. */
const COPYING: ReadonlySet<number> = new Set([0x9123_683e, 0xca45_1a4e, 0x2fc1_2fc1]);

const isCopying = (path: string): boolean =>
  COPYING.has(Number(BigInt.asUintN(32, BigInt(statfsSync(path).type))));

/** Disables copy-on-write for an open, empty file at this path. Throws if the file system cannot. */
export const writeInPlace = (libc: Libc, descriptor: number, path: string): void => {
  if (!isCopying(dirname(path))) return;
  const flags = Buffer.alloc(8);
  libc.call(IOCTL, descriptor, GET_FLAGS, flags);
  flags.writeUInt32LE((flags.readUInt32LE(0) | NO_COPY) >>> 0, 0);
  libc.call(IOCTL, descriptor, SET_FLAGS, flags);
};
