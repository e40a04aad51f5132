// A world in which a supervisor can be killed between any two of its steps, and in the middle of those that take time:
// memory, files and a pipe that outlive it. What it does after its death has no effect.
import type { LogDisk } from '../../../../src/sinks/logs/file/rotate-log.ts';
import {
  CAPACITY,
  CLAIMED,
  FIRST_BYTES,
  WORDS,
  type Memory,
  type Word,
} from '../../../../src/sinks/logs/buffer/output-memory.ts';
import { Slot } from '../../../../src/sinks/logs/buffer/output-slot.ts';
import { patternOf } from '../../../../src/streams/output/output-recovery.ts';

export class Killed extends Error {}

interface File {
  readonly inode: number;
  bytes: Buffer;
}

/** Counts steps; at the one that was chosen the process dies, with so much of that step done. */
export class Life {
  readonly #at: number;
  readonly #share: number;
  steps = 0;
  #dead = false;

  constructor(at = Infinity, share = 0) {
    this.#at = at;
    this.#share = share;
  }

  /** Does a step that is done or not. */
  step<T>(act: () => T): T {
    this.part(1, () => undefined);
    return act();
  }

  /** Does a step that can be half done: `act` is told how much. */
  part<T>(whole: number, act: (size: number) => T): T {
    if (this.#dead) throw new Killed();
    this.steps += 1;
    if (this.steps < this.#at) return act(whole);
    this.#dead = true;
    if (whole > 1) act(Math.floor(whole * this.#share));
    throw new Killed();
  }
}

const PATTERN = Buffer.from(patternOf(4711, CAPACITY));

/** Memory that outlives the process that works with it. */
export class Region {
  readonly #words = new Float64Array(Object.keys(WORDS).length);
  readonly #bytes = Buffer.alloc(CAPACITY);
  #isClaimed = false;

  /** The slot of the next supervisor: claimed by the first that lived to do it, which is one write, and left to the others. */
  slot(life: Life, now: number): Slot {
    if (this.#isClaimed) {
      const left = new Slot(this.in(life));
      left.inherit(now);
      return left;
    }
    life.step(() => {
      for (const [word, value] of Object.entries(CLAIMED)) this.#words[WORDS[word as Word]] = value;
      PATTERN.copy(this.#bytes, 0, 0, FIRST_BYTES);
      this.#isClaimed = true;
    });
    return Slot.claimed(this.in(life));
  }

  in(life: Life): Memory {
    const words = this.#words;
    const bytes = this.#bytes;
    return {
      bytes,
      pattern: PATTERN,
      get: (word) => words[WORDS[word]] ?? 0,
      set: (word, value) =>
        life.step(() => {
          words[WORDS[word]] = value;
        }),
      lay: (from, to) => life.part(to - from, (size) => void PATTERN.copy(bytes, from, from, from + size)),
      toFront: (from, end) => life.part(end - from, (size) => void bytes.copyWithin(0, from, from + size)),
      reserve: (upTo) => upTo,
      shrink: () => undefined,
      free: () => undefined,
    };
  }
}

const missing = (): Error => Object.assign(new Error('missing'), { code: 'ENOENT' });

/** Files in one directory. */
export class Files {
  readonly #files = new Map<string, File>();
  readonly #open = new Map<number, File>();
  #next = 3;

  /** All that was ever written, oldest file first. */
  text(path: string): string {
    const age = (name: string): number => Number(name.slice(path.length + 1) || 0);
    return [...this.#files.keys()]
      .toSorted((one, other) => age(other) - age(one))
      .map((name) => this.#files.get(name)?.bytes.toString('latin1') ?? '')
      .join('');
  }

  in(life: Life): LogDisk {
    const at = (path: string): File => {
      const file = this.#files.get(path);
      if (file === undefined) throw missing();
      return file;
    };
    const behind = (fd: number): File => this.#open.get(fd) ?? { inode: 0, bytes: Buffer.alloc(0) };
    const stats = ({ inode, bytes }: File): never => ({ ino: inode, size: bytes.length }) as never;
    const made = (path: string): File => {
      const file = { inode: (this.#next += 1), bytes: Buffer.alloc(0) };
      this.#files.set(path, file);
      return file;
    };
    return {
      close: (fd) => void this.#open.delete(fd),
      exists: (path) => this.#files.has(String(path)),
      list: () => [...this.#files.keys()].map((path) => path.slice(1)),
      statOf: (path) => (this.#files.has(path) ? stats(at(path)) : undefined),
      stat: (fd) => stats(behind(fd)),
      truncate: (fd, size) =>
        life.step(() => {
          behind(fd).bytes = behind(fd).bytes.subarray(0, size);
        }),
      makeDirectory: () => undefined,
      open: (path) =>
        life.step(() => {
          const fd = (this.#next += 1);
          this.#open.set(fd, this.#files.get(path) ?? made(path));
          return fd;
        }),
      read: (fd, bytes, from) => behind(fd).bytes.copy(bytes, 0, from),
      rename: (from, to) =>
        life.step(() => {
          this.#files.set(String(to), at(String(from)));
          this.#files.delete(String(from));
        }),
      unlink: (path) =>
        life.step(() => {
          at(String(path));
          this.#files.delete(String(path));
        }),
      write: (fd, bytes) =>
        life.part(bytes.length, (size) => {
          const file = behind(fd);
          file.bytes = Buffer.concat([file.bytes, bytes.subarray(0, size)]);
          return size;
        }),
    };
  }
}

/** Output of a service that was not read yet. */
export class Pipe {
  #rest: Buffer;

  constructor(text: string) {
    this.#rest = Buffer.from(text, 'latin1');
  }

  get empty(): boolean {
    return this.#rest.length === 0;
  }

  /** The kernel's read: all of it or nothing. */
  read(life: Life, into: Buffer, most: number): number {
    return life.step(() => {
      const length = this.#rest.copy(into, 0, 0, Math.min(most, this.#rest.length));
      this.#rest = this.#rest.subarray(length);
      return length;
    });
  }
}
