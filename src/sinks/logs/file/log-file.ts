// One service's log file: appended to in whole lines, rotated at `max_bytes`. A partial write is taken back,
// so that every file ends with a whole line.
import { write } from 'node:fs';
import { promisify } from 'node:util';
import { isOutOfDescriptors, refusalText } from '../../../os/errno.ts';
import { type LogDisk, nodeDisk, type OpenedLog, openLog, rotate, takeBack } from './log-disk.ts';
import type { SpareDescriptor } from './spare-descriptor.ts';
import type { OnTrouble } from '../capture-ports.ts';

/** How often to check for a moved or truncated file, and how long to wait after a failed rotation; ms. */
const CHECK_EVERY = 1_000;
const ROTATE_AGAIN_AFTER = 10_000;

const writeFd = promisify(write);

export interface LogFileRules {
  readonly path: string;
  /** 0: never rotated. */
  readonly maxBytes: number;
  readonly maxFiles: number;
}

/** Where the next line will be written. */
interface LogPlace {
  readonly inode: number;
  readonly size: number;
}

interface FilePorts {
  /** Called each time, so that a newer declaration applies at once. */
  readonly rules: () => LogFileRules;
  readonly onTrouble: OnTrouble;
  readonly disk?: LogDisk;
  /** A spare descriptor for when none is free. */
  readonly reserve?: SpareDescriptor;
}

/** Why lines are not in the file; `undefined` when they are. */
export type LogFailure = { readonly error: unknown } | undefined;

export class RotatedFile {
  readonly #rules: () => LogFileRules;
  readonly #onTrouble: OnTrouble;
  readonly #disk: LogDisk;
  readonly #reserve: SpareDescriptor | undefined;
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

  /** Where the next line goes. Throws when the file cannot be opened. */
  place(): LogPlace {
    return this.#current();
  }

  /**
   * How many bytes can be written without a rotation; `Infinity` without a limit or soon after a failed
   * rotation.
   */
  room(): number {
    const { maxBytes } = this.#rules();
    if (maxBytes === 0 || performance.now() < this.#rotateAgainAt) return Infinity;
    return maxBytes - this.#current().size;
  }

  /** Writes at once and in one piece, whatever the file's size. */
  append(lines: Buffer): LogFailure {
    try {
      const file = this.#current();
      // After a partial write the next attempt reports the reason: the disk, a quota, a file size limit.
      for (let at = 0; at < lines.length;) at += this.#disk.write(file.fd, lines.subarray(at));
      file.size += lines.length;
      return undefined;
    } catch (error) {
      return this.#opened === undefined ? { error } : this.#giveUp(this.#opened, error);
    }
  }

  /** Like `append`, in the thread pool. The file must not be used meanwhile. */
  async appendSlowly(lines: Buffer): Promise<LogFailure> {
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
    // Its number may be reused from here on, whatever close returns.
    this.#opened = undefined;
    if (file !== undefined) this.#letGo(file);
    this.giveBack();
  }

  /** Returns a borrowed descriptor after each write. */
  giveBack(): void {
    if (!this.#borrowed) return;
    this.#borrowed = false;
    this.close();
    this.#reserve?.restore();
  }

  /** Closes the file. A remote disk (NFS, FUSE, a quota) may only now refuse what it accepted before. */
  #letGo({ fd }: OpenedLog): void {
    try {
      this.#disk.close(fd);
    } catch (error) {
      this.#onTrouble(`${this.#rules().path} may lack what was written last (${refusalText(error)})`);
    }
  }

  /** The file at the path: opened again if it was moved, its size updated if others changed it. */
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

  /** Takes a partial write back and closes the file: the next attempt opens it again. */
  #giveUp(file: OpenedLog, error: unknown): LogFailure {
    takeBack(this.#disk, file);
    this.close();
    return { error };
  }
}
