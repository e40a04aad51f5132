// The name and the head of a compressed log file. The head is a comment in the gzip format: the inode of the
// file before it was compressed, by which a reader that had begun with it finds it again, and the times of
// its lines, by which a reader skips it without decompressing it.
// Rules: `docs/behaviour.md`, "Output", "Compressed files".
import { STAMP_LENGTH } from './log-line.ts';

/** The ending of a compressed log file: `web.log.2.gz`. */
export const COMPRESSED = '.gz';
/** The ending of a compressed file that is not complete. */
export const COMPRESSING = '.gz.tmp';

export interface LogHead {
  /** The inode of the file before it was compressed. */
  readonly inode: number;
  /** The earliest and latest time of its lines; empty if no line has one. */
  readonly first: string;
  readonly last: string;
}

const INODE_DIGITS = 20;
const MAGIC = '\x1f\x8b\x08\x10\0\0\0\0\0\xff';
/** An empty deflate block, and checksum and length of nothing. */
const EMPTY = `\x03\0${'\0'.repeat(8)}`;

/** Returns the bytes of the head, one for each character: an empty gzip member with a comment. */
export const headText = ({ inode, first, last }: LogHead): string => {
  const times = [first, last].map((time) => time.padEnd(STAMP_LENGTH)).join(' ');
  return `${MAGIC}sup ${String(inode).padStart(INODE_DIGITS)} ${times}\0${EMPTY}`;
};

/** The length of the head, bytes. */
export const HEAD_LENGTH = headText({ inode: 0, first: '', last: '' }).length;

const HEAD = new RegExp(`^sup +(\\d+) (.{${STAMP_LENGTH}}) (.{${STAMP_LENGTH}})\\0`);

/** Reads the head of a file from its first bytes; `undefined` if another program compressed it. */
export const readHead = (text: string): LogHead | undefined => {
  const [, inode, first = '', last = ''] = HEAD.exec(text.slice(MAGIC.length)) ?? [];
  if (inode === undefined || !text.startsWith(MAGIC)) return undefined;
  return { inode: Number(inode), first: first.trim(), last: last.trim() };
};
