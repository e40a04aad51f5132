// Compresses a rotated log file into a new file in the same directory. The new file gets its final name when
// it is complete. The work is done in the thread pool. After each read there is a pause as long as the work
// on that read.
// Rules: `docs/behaviour.md`, "Output", "Compressed files".
import { constants as modes } from 'node:fs';
import { type FileHandle, open, rm, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { createGzip } from 'node:zlib';
import { headText } from '../../../streams/wire/compressed-log-head.ts';
import { copyPath } from '../../../streams/wire/log-file-names.ts';
import { STAMP_LENGTH, textStart } from '../../../streams/wire/log-line.ts';

const READ_BYTES = 256 * 1024;

/** Keeps the earliest and the latest time of log lines. */
class Times {
  first = '';
  last = '';

  /**
   * Notes the times of the first and the last line of a block. This is enough if the lines are in order, or
   * if the clock was set only once.
   */
  note(block: Buffer): void {
    const text = block.toString('latin1');
    for (const at of [firstLine(text), lastLine(text)])
      if (at >= 0 && textStart(text, at) > at) this.#take(text.slice(at, at + STAMP_LENGTH));
  }

  #take(time: string): void {
    if (this.first === '' || time < this.first) this.first = time;
    if (time > this.last) this.last = time;
  }
}

/** Returns the offset of the first line with a time; -1 if there is none. */
const firstLine = (text: string): number => {
  if (textStart(text, 0) > 0) return 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1))
    if (textStart(text, at + 1) > at + 1) return at + 1;
  return -1;
};

/** Returns the offset of the last line with a time; -1 if there is none. */
const lastLine = (text: string): number => {
  for (let at = text.lastIndexOf('\n'); at >= 0; at = at === 0 ? -1 : text.lastIndexOf('\n', at - 1))
    if (textStart(text, at + 1) > at + 1) return at + 1;
  return textStart(text, 0) > 0 ? 0 : -1;
};

/** Yields the content of a file, with a pause between two reads. */
async function* rested(file: FileHandle, times: Times, signal: AbortSignal): AsyncGenerator<Buffer> {
  for (let began = performance.now(); ; began = performance.now()) {
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(READ_BYTES), 0, READ_BYTES);
    if (bytesRead === 0) return;
    const block = buffer.subarray(0, bytesRead);
    times.note(block);
    yield block;
    await pause(performance.now() - began, undefined, { signal, ref: false });
  }
}

/** The compressed copy of a file, still under its temporary name. */
export interface Compressed {
  readonly path: string;
  /**
   * Inode and size that the original file had before it was read. The copy may replace only a file with these
   * values.
   */
  readonly inode: number;
  readonly size: number;
}

const copied = async (from: FileHandle, to: FileHandle, signal: AbortSignal): Promise<void> => {
  const times = new Times();
  const { ino: inode, atime, mtime } = await from.stat();
  await to.write(headText({ inode, first: '', last: '' }), null, 'latin1');
  const into = async (source: AsyncIterable<Buffer>): Promise<void> => {
    // Unlike `write`, `writeFile` writes all bytes or fails.
    for await (const bytes of source) await to.writeFile(bytes);
  };
  await pipeline(rested(from, times, signal), createGzip(), into, { signal });
  await to.write(headText({ inode, first: times.first, last: times.last }), 0, 'latin1');
  await to.sync();
  await to.utimes(atime, mtime);
};

interface Rotated {
  /** The path of the active file of its log. */
  readonly log: string;
  readonly path: string;
}

/** Throws if a copy could use the last free space, which services need for new lines. */
const checkSpace = async (log: string, size: number): Promise<void> => {
  const { bavail, bsize } = await statfs(dirname(log));
  if (bavail * bsize < size) throw new Error('less space is free than the file has');
};

/** Writes the compressed copy of a file. On an error, or if `signal` aborts, removes the copy and rejects. */
export const compressed = async (file: Rotated, signal: AbortSignal): Promise<Compressed> => {
  const from = await open(file.path, modes.O_RDONLY | modes.O_NOFOLLOW | modes.O_NONBLOCK);
  try {
    const { ino: inode, size, mode } = await from.stat();
    await checkSpace(file.log, size);
    const path = copyPath(file.log, inode);
    await rm(path, { force: true });
    const to = await open(path, 'wx', mode & 0o777);
    try {
      await copied(from, to, signal);
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    } finally {
      await to.close();
    }
    return { path, inode, size };
  } finally {
    await from.close();
  }
};
