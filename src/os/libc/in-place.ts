// Files whose blocks are written where they are. On a file system that copies what is written (btrfs), a store into a mapped
// file needs new space, and a full disk is the end of the process (SIGBUS), however much of the file is there already.
import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { cFunction, type Libc } from '../libc.ts';

const IOCTL = cFunction('int', 'ioctl', 'int', 'ulong', 'pointer');
const GET_FLAGS = 0x8008_6601;
const SET_FLAGS = 0x4008_6602;
const NO_COPY = 0x0080_0000;

/** By their numbers in statfs(2): btrfs, bcachefs, ZFS. */
const COPYING: ReadonlySet<number> = new Set([0x9123_683e, 0xca45_1a4e, 0x2fc1_2fc1]);

const isCopying = (path: string): boolean =>
  COPYING.has(Number(BigInt.asUintN(32, BigInt(statfsSync(path).type))));

/** Of a file that is open and empty, in this place. Throws where the file system copies, and cannot be told not to. */
export const writeInPlace = (libc: Libc, descriptor: number, path: string): void => {
  if (!isCopying(dirname(path))) return;
  const flags = Buffer.alloc(8);
  libc.call(IOCTL, descriptor, GET_FLAGS, flags);
  flags.writeUInt32LE((flags.readUInt32LE(0) | NO_COPY) >>> 0, 0);
  libc.call(IOCTL, descriptor, SET_FLAGS, flags);
};
