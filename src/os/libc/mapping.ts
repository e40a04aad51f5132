// Shared file mappings: a write to the memory is in the file at once, even if the process dies.
import { cFunction, type Libc } from '../libc.ts';

const MMAP = cFunction('long', 'mmap', 'ulong', 'ulong', 'int', 'int', 'int', 'long');
const MADVISE = cFunction('int', 'madvise', 'pointer', 'ulong', 'int');

const PROT_READ_WRITE = 3;
const MAP_SHARED = 1;
const MAP_FIXED = 16;
const MADV_REMOVE = 9;
const PAGE = 4096;
/** An allocation this large gets its own mapping in every allocator: nothing else lies in it. */
const OWN_MEMORY = 32 * 1024 * 1024;

/** The mapped part of a file; `offset` and `length` are whole pages. */
interface Part {
  readonly descriptor: number;
  readonly offset: number;
  readonly length: number;
}

/**
 * A Buffer over the bytes of the file. It is mapped over memory that Node has allocated and frees as usual.
 * The file must be long enough and have disk space for what is written: else the kernel kills the process.
 * Throws `Refused`.
 */
export const mapped = (libc: Libc, { descriptor, offset, length }: Part): Buffer => {
  const memory = Buffer.allocUnsafeSlow(Math.max(length, OWN_MEMORY) + PAGE);
  const from = PAGE - (libc.addressOf(memory) % PAGE);
  const part = memory.subarray(from, from + length);
  mapOver(libc, part, { descriptor, offset });
  return part;
};

/** Remaps the memory to this part of this file in one step; its users go on. Throws `Refused`. */
export const mapOver = (libc: Libc, part: Buffer, { descriptor, offset }: Omit<Part, 'length'>): void => {
  const flags = MAP_SHARED | MAP_FIXED;
  libc.call(MMAP, libc.addressOf(part), part.length, PROT_READ_WRITE, flags, descriptor, offset);
};

/**
 * Returns whole pages of a mapped file to the disk; they read as zeros then. Without kernel support they
 * stay.
 */
export const giveBack = (libc: Libc, pages: Buffer): void => {
  libc.ask(MADVISE, pages, pages.length, MADV_REMOVE);
};
