// One service's log file: appended to in whole lines, rotated at `max_bytes`. A line is never split over two files;
// what could not be written whole is taken back, so that every file ends with a whole line.
import { statSync, write, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import { refusalText } from '../../../os/errno.ts';
import { closeLog, openLog, takeBack, type OpenedLog } from './opened-log.ts';
import { rotate } from './rotation.ts';
import type { OnTrouble } from '../trouble.ts';

const NEWLINE = 10;
/** How often to see whether somebody else has moved or emptied the file; how long to leave a failed rotation alone. Ms. */
const CHECK_EVERY = 1_000;
const ROTATE_AGAIN_AFTER = 10_000;

const writeFd = promisify(write);

export interface FileRules {
  readonly path: string;
  /** 0: never rotated. */
  readonly maxBytes: number;
  readonly maxFiles: number;
}

/** How much of what was to be written is in the file, in bytes of whole lines, and why the rest is not. */
export interface Appended {
  readonly written: number;
  readonly error?: unknown;
}

/** How many bytes of `lines` make whole lines and fit into `room`. */
const wholeLines = (lines: Buffer, room: number): number => {
  if (lines.length <= room) return lines.length;
  return room <= 0 ? 0 : lines.lastIndexOf(NEWLINE, room - 1) + 1;
};

export class LogFile {
  readonly #rules: () => FileRules;
  readonly #onTrouble: OnTrouble;
  #opened: OpenedLog | undefined;
  #checkedAt = 0;
  #rotateAgainAt = 0;

  /** The rules are asked for each time: a newer declaration of the service holds at once. */
  constructor(rules: () => FileRules, onTrouble: OnTrouble) {
    this.#rules = rules;
    this.#onTrouble = onTrouble;
  }

  /** Whether so much can be written without a rotation, or is at least to be tried. */
  fits(bytes: number): boolean {
    try {
      return bytes <= this.#room(this.#current());
    } catch {
      return true;
    }
  }

  /** Writes at once and in one piece, whatever the size of the file. */
  appendNow(lines: Buffer): Appended {
    try {
      const file = this.#current();
      const written = writeSync(file.fd, lines);
      if (written < lines.length) return this.#giveUp(file, 'ENOSPC');
      file.size += written;
      return { written };
    } catch (error) {
      this.close();
      return { written: 0, error };
    }
  }

  /** Writes in the thread pool, into as many files as it takes. One call at a time. */
  async append(lines: Buffer): Promise<Appended> {
    let written = 0;
    try {
      while (written < lines.length) written += await this.#writePiece(lines.subarray(written));
      return { written };
    } catch (error) {
      return { written, error };
    }
  }

  close(): void {
    if (this.#opened !== undefined) closeLog(this.#opened);
    this.#opened = undefined;
  }

  /** The file at the path: opened again when somebody has moved it away, its size as somebody else may have left it. */
  #current(): OpenedLog {
    const now = performance.now();
    if (this.#opened !== undefined && now - this.#checkedAt > CHECK_EVERY) {
      this.#checkedAt = now;
      const found = statSync(this.#rules().path, { throwIfNoEntry: false });
      if (found?.ino === this.#opened.inode) this.#opened.size = found.size;
      else this.close();
    }
    this.#opened ??= openLog(this.#rules().path);
    return this.#opened;
  }

  #room(file: OpenedLog): number {
    const { maxBytes } = this.#rules();
    if (maxBytes === 0 || performance.now() < this.#rotateAgainAt) return Infinity;
    return maxBytes - file.size;
  }

  /** Writes what fits into the present file; the whole first line at least, when the file is empty. */
  async #writePiece(lines: Buffer): Promise<number> {
    const file = this.#current();
    const fitting = wholeLines(lines, this.#room(file));
    if (fitting === 0 && file.size > 0) {
      await this.#rotate();
      return 0;
    }
    const piece = lines.subarray(0, fitting === 0 ? lines.indexOf(NEWLINE) + 1 : fitting);
    try {
      for (let at = 0; at < piece.length;) at += (await writeFd(file.fd, piece, at)).bytesWritten;
    } catch (error) {
      this.#giveUp(file, error);
      throw error;
    }
    file.size += piece.length;
    return piece.length;
  }

  async #rotate(): Promise<void> {
    const { path, maxFiles } = this.#rules();
    try {
      await rotate(path, maxFiles);
    } catch (error) {
      this.#rotateAgainAt = performance.now() + ROTATE_AGAIN_AFTER;
      this.#onTrouble(`${path} cannot be rotated (${refusalText(error)}): it grows until it can`);
    }
    this.close();
  }

  /** Takes a half-written piece back and lets go of the file: the next attempt opens it afresh. */
  #giveUp(file: OpenedLog, error: unknown): Appended {
    takeBack(file);
    this.close();
    return { written: 0, error };
  }
}
