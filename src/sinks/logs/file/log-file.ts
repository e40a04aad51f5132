// The log file of one service. Whole lines are appended, the file is rotated at `max_bytes`, and a partial
// write is cut off.
// Rules: `docs/behaviour.md`, "Output", "Too few descriptors"; `docs/behaviour.md`, "Output", "Rotation".
import { write } from 'node:fs';
import { promisify } from 'node:util';
import { isOutOfDescriptors, refusalText } from '../../../os/errno.ts';
import { type LogDisk, nodeDisk, type OpenedLog, openLog, rotate, takeBack } from './rotate-log.ts';
import type { SpareDescriptor } from './spare-descriptor.ts';
import type { LogError } from '../capture-ports.ts';

/** The interval of checks whether the file was moved or truncated, ms. */
const CHECK_EVERY = 1_000;
/** The delay before a failed rotation is tried again, ms. */
const ROTATE_AGAIN_AFTER = 10_000;

const writeFd = promisify(write);

export interface LogFileRules {
  readonly path: string;
  /** The size at which the log is rotated, bytes; 0: never. */
  readonly maxBytes: number;
  readonly maxFiles: number;
}

/** The inode of the log file, and its size: the offset at which the next line will be written. */
interface LogPlace {
  readonly inode: number;
  readonly size: number;
}

interface FilePorts {
  /** Returns the limits of the log. It is called for each write, so that a newer spec applies at once. */
  readonly rules: () => LogFileRules;
  readonly logError: LogError;
  readonly disk?: LogDisk;
  readonly onRotated?: () => void;
  /** A spare descriptor for the case that no other is free. */
  readonly reserve?: SpareDescriptor;
}

/** The error because of which lines were not written; `undefined` if they were written. */
export type LogFailure = { readonly error: unknown } | undefined;

export class RotatedFile {
  readonly #rules: () => LogFileRules;
  readonly #logError: LogError;
  readonly #disk: LogDisk;
  readonly #reserve: SpareDescriptor | undefined;
  readonly #onRotated: () => void;
  #borrowed = false;
  #opened: OpenedLog | undefined;
  #checkedAt = 0;
  #rotateAgainAt = 0;

  constructor({ rules, logError, disk = nodeDisk, reserve, onRotated = () => undefined }: FilePorts) {
    this.#onRotated = onRotated;
    this.#reserve = reserve;
    this.#rules = rules;
    this.#logError = logError;
    this.#disk = disk;
  }

  /** Returns where the next line will be written. Throws if the file cannot be opened. */
  place(): LogPlace {
    return this.#current();
  }

  /**
   * Returns how many bytes fit before a rotation. Returns `Infinity` without a limit, and for 10 s after a
   * failed rotation.
   */
  room(): number {
    const { maxBytes } = this.#rules();
    if (maxBytes === 0 || performance.now() < this.#rotateAgainAt) return Infinity;
    return maxBytes - this.#current().size;
  }

  /** Writes all lines synchronously, even if they exceed the size limit. */
  append(lines: Buffer): LogFailure {
    try {
      const file = this.#current();
      // After a partial write, the next write throws the reason: a full disk, a quota, a file size limit.
      for (let at = 0; at < lines.length;) at += this.#disk.write(file.fd, lines.subarray(at));
      file.size += lines.length;
      return undefined;
    } catch (error) {
      return this.#opened === undefined ? { error } : this.#giveUp(this.#opened, error);
    }
  }

  /** Like `append`, but in the thread pool. The file must not be used until the promise resolves. */
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
      this.#onRotated();
    } catch (error) {
      this.#rotateAgainAt = performance.now() + ROTATE_AGAIN_AFTER;
      this.#logError(`${path} cannot be rotated (${refusalText(error)}): it grows until it can`);
    }
    this.close();
  }

  close(): void {
    const file = this.#opened;
    // From here on the descriptor's number may be reused, even if `close` fails.
    this.#opened = undefined;
    if (file !== undefined) this.#closeFile(file);
    this.giveBack();
  }

  /** If the file uses the spare descriptor, closes the file. Call it after each write. */
  giveBack(): void {
    if (!this.#borrowed) return;
    this.#borrowed = false;
    this.close();
    this.#reserve?.restore();
  }

  /** Closes the file. Warns if the disk reports lost data only now, which NFS, FUSE and quotas may do. */
  #closeFile({ fd }: OpenedLog): void {
    try {
      this.#disk.close(fd);
    } catch (error) {
      this.#logError(`${this.#rules().path} may lack what was written last (${refusalText(error)})`);
    }
  }

  /**
   * Returns the open file. Once a second it first checks the path: if the same file is still there, it reads
   * the size of the file; otherwise it opens the path again.
   */
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

  /** Cuts off a partial write and closes the file. The next attempt opens it again. */
  #giveUp(file: OpenedLog, error: unknown): LogFailure {
    takeBack(this.#disk, file);
    this.close();
    return { error };
  }
}
