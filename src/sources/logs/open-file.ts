// A log file that is kept open, so that it can be read to its end even if it is renamed.
import { constants, open, type FileHandle } from 'node:fs/promises';
import { isMissing } from '../../os/errno.ts';
import { failure } from '../../streams/views/errors/failure.ts';
import { messageOf } from '../../streams/domain/errors/thrown.ts';
import { LONGEST_TEXT } from '../../streams/wire/log-line.ts';

const NEWLINE = 10;
/** Bytes per read: more than the longest line. */
const READ_BYTES = 4 * LONGEST_TEXT;

export interface OpenFile {
  readonly handle: FileHandle;
  /** Two open files with the same inode are one file: an inode is not reused while the file is open. */
  readonly inode: number;
  /** Everything before this is read; always just after a newline. */
  offset: number;
}

const inodeOf = async (handle: FileHandle): Promise<number> => {
  const found = await handle.stat();
  if (found.isFile()) return found.ino;
  await handle.close();
  throw new Error('it is not a regular file');
};

/** Returns `undefined` if there is no such file. Throws ERR0701 if it cannot be read. */
export const openFile = async (path: string): Promise<OpenFile | undefined> => {
  try {
    const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    return { handle, inode: await inodeOf(handle), offset: 0 };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw failure({ code: 'ERR0701', file: path, detail: messageOf(error) });
  }
};

export const readAt = async (handle: FileHandle, at: number, length: number): Promise<Buffer> => {
  const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, at);
  return buffer.subarray(0, bytesRead);
};

/** Returns the offset at which the last whole line ends. */
export const endOfLines = async ({ handle }: OpenFile): Promise<number> => {
  let end = (await handle.stat()).size;
  while (end > 0) {
    const start = Math.max(0, end - READ_BYTES);
    const newline = (await readAt(handle, start, end - start)).lastIndexOf(NEWLINE);
    if (newline >= 0) return start + newline + 1;
    end = start;
  }
  return 0;
};

const split = (bytes: Buffer): Buffer[] => {
  const lines: Buffer[] = [];
  let start = 0;
  for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
    lines.push(bytes.subarray(start, end));
    start = end + 1;
  }
  if (start < bytes.length) lines.push(bytes.subarray(start));
  return lines;
};

/**
 * Reads the next whole lines, up to a bounded number of bytes. A file that has become shorter is read from
 * its start.
 */
export const nextLines = async (file: OpenFile): Promise<readonly Buffer[]> => {
  if ((await file.handle.stat()).size < file.offset) file.offset = 0;
  const bytes = await readAt(file.handle, file.offset, READ_BYTES);
  const whole =
    bytes.length < READ_BYTES ? bytes.lastIndexOf(NEWLINE) + 1 : bytes.lastIndexOf(NEWLINE) + 1 || READ_BYTES;
  file.offset += whole;
  return split(bytes.subarray(0, whole));
};
