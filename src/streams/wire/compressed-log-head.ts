// The head of a compressed log file: a comment in the gzip format. It has:
// - the inode of the file before it was compressed, so that a reader of that file can continue in the
//   compressed file,
// - the times of its first and last line, so that a reader can skip the file without decompressing it.
// Rules: `docs/behaviour.md`, "Output", "Compressed files".
import { STAMP_LENGTH } from './log-line.ts';

export interface LogHead {
  /** The inode of the file before it was compressed. */
  readonly inode: number;
  /** The earliest and the latest time of the lines. Both are empty if no line has a time. */
  readonly first: string;
  readonly last: string;
}

const INODE_DIGITS = 20;
const MAGIC = '\x1f\x8b\x08\x10\0\0\0\0\0\xff';
/** An empty deflate block, followed by the checksum and the length of empty data. */
const EMPTY = `\x03\0${'\0'.repeat(8)}`;

/** Returns the head as text, one character for each byte. The head is an empty gzip member with a comment. */
export const headText = ({ inode, first, last }: LogHead): string => {
  const times = [first, last].map((time) => time.padEnd(STAMP_LENGTH)).join(' ');
  return `${MAGIC}sup ${String(inode).padStart(INODE_DIGITS)} ${times}\0${EMPTY}`;
};

/** The length of the head in bytes. */
export const HEAD_LENGTH = headText({ inode: 0, first: '', last: '' }).length;

const HEAD = new RegExp(`^sup +(\\d+) (.{${STAMP_LENGTH}}) (.{${STAMP_LENGTH}})\\0`);

/** Reads the head from the first bytes of a file; `undefined` if another program compressed the file. */
export const readHead = (text: string): LogHead | undefined => {
  const [, inode, first = '', last = ''] = HEAD.exec(text.slice(MAGIC.length)) ?? [];
  if (inode === undefined || !text.startsWith(MAGIC)) return undefined;
  return { inode: Number(inode), first: first.trim(), last: last.trim() };
};
