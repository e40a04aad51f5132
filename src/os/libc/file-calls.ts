// File calls that Node lacks: FIFOs (mkfifo(3)), disabling copy-on-write, shared mappings (mmap(2)), and
// growing the descriptor table.
import { closeSync, openSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { cString } from './c-memory.ts';
import { cFunction, type Libc, Refused } from './libc.ts';

const MKFIFO = cFunction('int', 'mkfifo', 'pointer', 'uint');

/** Creates a FIFO that only its owner may use. An existing file stays unchanged. Throws `Refused`. */
export const makeFifo = (libc: Libc, path: string): void => {
  try {
    libc.call(MKFIFO, cString(path), 0o600);
  } catch (error) {
    if (!(error instanceof Refused && error.code === 'EEXIST')) throw error;
  }
};

const IOCTL = cFunction('int', 'ioctl', 'int', 'ulong', 'pointer');
const GET_FLAGS = 0x8008_6601;
const SET_FLAGS = 0x4008_6602;
const NO_COPY = 0x0080_0000;

/** Magic numbers (statfs(2)) of the file systems that copy on write: btrfs, bcachefs, ZFS. */
const COPYING: ReadonlySet<number> = new Set([0x9123_683e, 0xca45_1a4e, 0x2fc1_2fc1]);

const isCopying = (path: string): boolean =>
  COPYING.has(Number(BigInt.asUintN(32, BigInt(statfsSync(path).type))));

/**
 * Disables copy-on-write for an open, empty file, if its file system copies on write. Throws if that fails.
 */
export const writeInPlace = (libc: Libc, descriptor: number, path: string): void => {
  if (!isCopying(dirname(path))) return;
  const flags = Buffer.alloc(8);
  libc.call(IOCTL, descriptor, GET_FLAGS, flags);
  flags.writeUInt32LE((flags.readUInt32LE(0) | NO_COPY) >>> 0, 0);
  libc.call(IOCTL, descriptor, SET_FLAGS, flags);
};

const MMAP = cFunction('long', 'mmap', 'ulong', 'ulong', 'int', 'int', 'int', 'long');
const MADVISE = cFunction('int', 'madvise', 'pointer', 'ulong', 'int');

const PROT_READ_WRITE = 3;
const MAP_SHARED = 1;
const MAP_FIXED = 16;
const MADV_REMOVE = 9;
/** The part of a file to map; `offset` and `length` must be whole pages. */
interface Part {
  readonly descriptor: number;
  readonly offset: number;
  readonly length: number;
}

/**
 * Maps a part of the file and returns a Buffer over it. The blocks of that part must be allocated on the
 * disk, because otherwise a write to the Buffer kills this process (SIGBUS). The part stays mapped until this
 * process ends: code may use the Buffer later than expected, and after an unmap its addresses could belong to
 * other memory. Throws `Refused`.
 */
export const mapped = (libc: Libc, { descriptor, offset, length }: Part): Buffer =>
  libc.memoryAt(libc.call(MMAP, 0, length, PROT_READ_WRITE, MAP_SHARED, descriptor, offset), length);

/**
 * Replaces a mapping, in one step, by the mapping of another part of the file or of another file. Buffers
 * over the memory stay valid. Throws `Refused`.
 */
export const mapOver = (libc: Libc, part: Buffer, { descriptor, offset }: Omit<Part, 'length'>): void => {
  const flags = MAP_SHARED | MAP_FIXED;
  libc.call(MMAP, libc.addressOf(part), part.length, PROT_READ_WRITE, flags, descriptor, offset);
};

/** Frees the disk blocks of whole mapped pages, if the kernel can. The pages then read as zeros. */
export const giveBack = (libc: Libc, pages: Buffer): void => {
  libc.ask(MADVISE, pages, pages.length, MADV_REMOVE);
};

const FCNTL = cFunction('int', 'fcntl', 'int', 'int', 'int');
const F_DUPFD_CLOEXEC = 1030;
/**
 * The descriptor number up to which the descriptor table is grown: enough for 2000 services. The table then
 * takes 32 KiB.
 */
const LAST = 4095;

/** Grows the descriptor table in advance, on a pool thread, unless the limit on open files is lower. */
export const growDescriptorTable = async (libc: Libc): Promise<void> => {
  try {
    const nowhere = openSync('/dev/null', 'r');
    try {
      const last = await libc.askLater(FCNTL, nowhere, F_DUPFD_CLOEXEC, LAST);
      if (last >= 0) closeSync(last);
    } finally {
      closeSync(nowhere);
    }
  } catch {
    // The table was not grown in advance. The kernel grows it later, when it needs more room.
  }
};
