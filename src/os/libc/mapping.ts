// Memory that is a file: what is written into it is in the file the moment it is written, whatever becomes of the process.
import { cFunction, type Libc } from '../libc.ts';

const MMAP = cFunction('long', 'mmap', 'ulong', 'ulong', 'int', 'int', 'int', 'long');
const MADVISE = cFunction('int', 'madvise', 'pointer', 'ulong', 'int');

const PROT_READ_WRITE = 3;
const MAP_SHARED = 1;
const MAP_FIXED = 16;
const MADV_REMOVE = 9;
const PAGE = 4096;
/** So much in one piece, and more, is memory of its own to every allocator: nothing else ever lies in it. */
const OWN_MEMORY = 32 * 1024 * 1024;

/** What of a file is mapped; `offset` and `length` are whole pages. */
interface Part {
  readonly descriptor: number;
  readonly offset: number;
  readonly length: number;
}

/**
 * A Buffer whose bytes are those of the file. It is laid over memory that Node has allocated: Node frees it in its time,
 * and nothing else knows of addresses. The file must be that long, and have room on its disk where it is written to: else
 * the kernel ends the process. Throws `Refused`.
 */
export const mapped = (libc: Libc, { descriptor, offset, length }: Part): Buffer => {
  const memory = Buffer.allocUnsafeSlow(Math.max(length, OWN_MEMORY) + PAGE);
  const from = PAGE - (libc.addressOf(memory) % PAGE);
  const part = memory.subarray(from, from + length);
  mapOver(libc, part, { descriptor, offset });
  return part;
};

/** The same memory becomes this part of this file, in one step: whatever reads or writes it goes on. Throws `Refused`. */
export const mapOver = (libc: Libc, part: Buffer, { descriptor, offset }: Omit<Part, 'length'>): void => {
  const flags = MAP_SHARED | MAP_FIXED;
  libc.call(MMAP, libc.addressOf(part), part.length, PROT_READ_WRITE, flags, descriptor, offset);
};

/** Gives whole pages of a mapped file back to the disk; they read as zeros then. Where that is not known they stay. */
export const giveBack = (libc: Libc, pages: Buffer): void => {
  libc.ask(MADVISE, pages, pages.length, MADV_REMOVE);
};
