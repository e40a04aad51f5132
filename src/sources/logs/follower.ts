// Follows a log from a position, across rotation (a renamed file keeps its inode), truncation, and files that
// do not exist yet. It reads only on request, so that a slow reader delays nothing and no lines are buffered.
import { stat } from 'node:fs/promises';
import type { ShownPlace } from '../../streams/upgrade/handover.ts';
import type { LogEntry } from '../../streams/wire/log-line.ts';
import { Joiner, readEntry } from './join-parts.ts';
import {
  endOfLines,
  fileWith,
  isFileOf,
  nextLines,
  openFile,
  openOlder,
  type OpenFile,
} from './log-files.ts';
import { isAfter, isBefore, matches, type Wanted } from './line-filter.ts';

/**
 * The entry that is shown where lines may be missing because log files were deleted before they were read.
 */
const MISSED: LogEntry = {
  at: '',
  stream: 'sup',
  text: 'some lines may have been rotated away before they were read',
  continues: false,
};

interface Successor {
  readonly file: OpenFile;
  /** True if log files before this one may have been deleted before they were read. */
  readonly missed: boolean;
}

type Place = Omit<ShownPlace, 'service'>;

export class Follower {
  readonly #path: string;
  readonly #wanted: Wanted;
  readonly #joiner = new Joiner();
  #file: OpenFile | undefined;

  /** True if log files may have been deleted before they were read. */
  #missed = false;

  private constructor(path: string, wanted: Wanted) {
    this.#path = path;
    this.#wanted = wanted;
  }

  /** Starts to follow after the last whole line of the current file: only new lines are read. */
  static async open(path: string, wanted: Wanted): Promise<Follower> {
    const follower = new Follower(path, wanted);
    const file = await openFile(path);
    if (file !== undefined) file.offset = await endOfLines(file);
    follower.#file = file;
    return follower;
  }

  /** Continues where another follower stopped: in the file with this inode, whatever its name is now. */
  static async at(path: string, wanted: Wanted, { inode, offset, parts }: Place): Promise<Follower> {
    const follower = new Follower(path, wanted);
    parts.forEach((part) => follower.#joiner.add(part));
    if (inode === undefined) return follower;
    const file = await fileWith(path, inode);
    if (file === undefined) follower.#missed = true;
    else file.offset = offset ?? 0;
    follower.#file = file;
    return follower;
  }

  /** The position from which another follower can continue. */
  get place(): Place {
    const file = this.#file;
    return {
      ...(file && { inode: file.inode, offset: file.offset }),
      parts: this.#joiner.parts(),
    };
  }

  /**
   * The file that is being read, with the offset up to which it was read; `undefined` if there is no file.
   */
  get file(): OpenFile | undefined {
    return this.#file;
  }

  /** Returns the next lines, up to a maximum number; `undefined` if there are no new lines at present. */
  async read(): Promise<readonly LogEntry[] | undefined> {
    if (this.#missed) {
      this.#missed = false;
      return [MISSED];
    }
    this.#file ??= await openFile(this.#path);
    if (this.#file === undefined) return undefined;
    const lines = await nextLines(this.#file);
    return lines.length > 0 ? this.#entries(lines) : this.#readOn(this.#file);
  }

  async close(): Promise<void> {
    await this.#file?.handle.close();
    this.#file = undefined;
  }

  /**
   * Switches to the next file, if there is one. Call it when the current file seems to be read to its end.
   */
  async #readOn(file: OpenFile): Promise<readonly LogEntry[] | undefined> {
    const successor = await this.#successorOf(file);
    if (successor === undefined) return undefined;
    // The file may have been written between the last read and its rename, so read it once more.
    const lines = await nextLines(file);
    if (lines.length > 0) {
      await successor.file.handle.close();
      return this.#entries(lines);
    }
    await file.handle.close();
    this.#file = successor.file;
    return successor.missed ? [MISSED] : [];
  }

  /**
   * Returns the log file that was begun after this file. A rotation only increases the number of a file, so
   * the search begins with the newest file and goes to higher numbers until it finds this file.
   */
  async #successorOf({ inode }: OpenFile): Promise<Successor | undefined> {
    const present = await stat(this.#path).catch(() => undefined);
    if (present === undefined || present.ino === inode) return undefined;
    let file = await openFile(this.#path);
    for (let number = 0; file !== undefined;) {
      const older = await openOlder(this.#path, number, this.#wanted.onDamage);
      if (older === undefined) return { file, missed: true };
      if (isFileOf(older.file, inode)) {
        await older.file.handle.close();
        return { file, missed: false };
      }
      await file.handle.close();
      ({ file, number } = older);
    }
    return undefined;
  }

  #entries(lines: readonly Buffer[]): readonly LogEntry[] {
    const entries = lines.map(readEntry).flatMap((entry) => this.#joiner.add(entry) ?? []);
    const wanted = this.#wanted;
    return entries.filter(
      (entry) => !isBefore(entry, wanted) && !isAfter(entry, wanted) && matches(entry, wanted),
    );
  }
}
