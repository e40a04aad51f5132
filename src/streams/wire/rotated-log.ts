// The names of log files, and the head of a compressed one. `web.log` is rotated to `web.log.1`, which may be
// compressed to `web.log.1.gz`. The head is a comment in the gzip format: the inode of the file before it was
// compressed, by which a reader that had begun with it finds it again, and the times of its lines, by which a
// reader skips it without decompressing it.
// Rules: `docs/behaviour.md`, "Output", "Rotation" and "Compressed files".
import { STAMP_LENGTH } from './log-line.ts';

const COMPRESSED = '.gz';
const INCOMPLETE = '.gz.tmp';

/** Returns the path of a rotated file of a log. */
export const rotatedPath = (log: string, number: number): string => `${log}.${number}`;

/** Returns the path of a rotated file once it is compressed. */
export const compressedPath = (rotated: string): string => rotated + COMPRESSED;

/** Returns the path of a compressed copy of the file with this inode while it is not complete. */
export const copyPath = (log: string, inode: number): string => `${log}.${inode}${INCOMPLETE}`;

/** A log file by its name. */
export interface LogName {
  /** The name of the active file. */
  readonly log: string;
  /** `copy`: a compressed copy that is not complete. */
  readonly kind: 'active' | 'rotated' | 'compressed' | 'copy';
  /** The number of a rotated file; 0 for others. */
  readonly number: number;
}

const LOG_NAME = /^(.+\.log)(?:\.(\d+)(\.gz)?(\.tmp)?)?$/;

/** Returns what the name of a file says; `undefined` if it is not one of a log. */
export const logNameOf = (name: string): LogName | undefined => {
  const [, log, number, gz, tmp] = LOG_NAME.exec(name) ?? [];
  if (log === undefined || (tmp !== undefined && gz === undefined)) return undefined;
  if (number === undefined) return { log, kind: 'active', number: 0 };
  if (tmp !== undefined) return { log, kind: 'copy', number: 0 };
  return { log, kind: gz === undefined ? 'rotated' : 'compressed', number: Number(number) };
};

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
