// One service's log file: appended to in whole lines, rotated at `max_bytes`. What could not be written whole is taken
// back, so that every file ends with a whole line.
import { write } from 'node:fs';
import { promisify } from 'node:util';
import { refusalText } from '../../../os/errno.ts';
import { nodeDisk, type LogDisk } from './log-disk.ts';
import { openLog, takeBack, type OpenedLog } from './opened-log.ts';
import { isOutOfDescriptors, type Reserve } from './reserve.ts';
import { rotate } from './rotation.ts';
import type { OnTrouble } from '../trouble.ts';

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

/** Where the next line will stand. */
interface LogPlace {
  readonly inode: number;
  readonly size: number;
}

interface FilePorts {
  /** Asked for each time: a newer declaration of the service holds at once. */
  readonly rules: () => FileRules;
  readonly onTrouble: OnTrouble;
  readonly disk?: LogDisk;
  /** A descriptor for when there is no other. */
  readonly reserve?: Reserve;
}

/** Why lines are not in the file; `undefined` when they are. */
export type Failure = { readonly error: unknown } | undefined;

export class LogFile {
  readonly #rules: () => FileRules;
  readonly #onTrouble: OnTrouble;
  readonly #disk: LogDisk;
  readonly #reserve: Reserve | undefined;
  #borrowed = false;
  #opened: OpenedLog | undefined;
  #checkedAt = 0;
  #rotateAgainAt = 0;

  constructor({ rules, onTrouble, disk = nodeDisk, reserve }: FilePorts) {
    this.#reserve = reserve;
    this.#rules = rules;
    this.#onTrouble = onTrouble;
    this.#disk = disk;
  }

  /** Throws when it cannot be opened. */
  place(): LogPlace {
    return this.#current();
  }

  /** How many bytes can be written without a rotation, or are at least to be tried. */
  room(): number {
    const { maxBytes } = this.#rules();
    if (maxBytes === 0 || performance.now() < this.#rotateAgainAt) return Infinity;
    return maxBytes - this.#current().size;
  }

  /** Writes at once and in one piece, whatever the size of the file. */
  append(lines: Buffer): Failure {
    try {
      const file = this.#current();
      // After a piece that was taken in part only, the next attempt says why: the disk, a quota, a limit of file sizes.
      for (let at = 0; at < lines.length;) at += this.#disk.write(file.fd, lines.subarray(at));
      file.size += lines.length;
      return undefined;
    } catch (error) {
      return this.#opened === undefined ? { error } : this.#giveUp(this.#opened, error);
    }
  }

  /** The same in the thread pool. Nothing else is done with the file meanwhile. */
  async appendSlowly(lines: Buffer): Promise<Failure> {
    try {
      const file = this.#current();
      for (let at = 0; at < lines.length;) at += (await writeFd(file.fd, lines, at)).bytesWritten;
      file.size += lines.length;
      return undefined;
    } catch (error) {
      return this.#opened === undefined ? { error } : this.#giveUp(this.#opened, error);
    }
  }

  rotate(): void {
    const { path, maxFiles } = this.#rules();
    try {
      rotate(this.#disk, path, maxFiles);
    } catch (error) {
      this.#rotateAgainAt = performance.now() + ROTATE_AGAIN_AFTER;
      this.#onTrouble(`${path} cannot be rotated (${refusalText(error)}): it grows until it can`);
    }
    this.close();
  }

  close(): void {
    const file = this.#opened;
    // Its number is somebody else's from here on, whatever closing it says.
    this.#opened = undefined;
    if (file !== undefined) this.#letGo(file);
    this.giveBack();
  }

  /** After each write: others need the descriptor, too. */
  giveBack(): void {
    if (!this.#borrowed) return;
    this.#borrowed = false;
    this.close();
    this.#reserve?.restore();
  }

  /** A disk elsewhere (NFS, FUSE, a quota) may refuse only now what it took before. */
  #letGo({ fd }: OpenedLog): void {
    try {
      this.#disk.close(fd);
    } catch (error) {
      this.#onTrouble(`${this.#rules().path} may lack what was written last (${refusalText(error)})`);
    }
  }

  /** The file at the path: opened again when somebody has moved it away, its size as somebody else may have left it. */
  #current(): OpenedLog {
    const now = performance.now();
    if (this.#opened !== undefined && now - this.#checkedAt > CHECK_EVERY) {
      this.#checkedAt = now;
      const found = this.#disk.statOf(this.#rules().path);
      if (found?.ino === this.#opened.inode) this.#opened.size = found.size;
      else this.close();
    }
    this.#opened ??= this.#open();
    return this.#opened;
  }

  #open(): OpenedLog {
    const { path } = this.#rules();
    this.#borrowed = this.#reserve?.isScarce() ?? false;
    try {
      return openLog(this.#disk, path);
    } catch (error) {
      if (!isOutOfDescriptors(error) || this.#reserve?.lend() !== true) throw error;
      this.#borrowed = true;
      return openLog(this.#disk, path);
    }
  }

  /** Takes a half-written piece back and lets go of the file: the next attempt opens it afresh. */
  #giveUp(file: OpenedLog, error: unknown): Failure {
    takeBack(this.#disk, file);
    this.close();
    return { error };
  }
}
