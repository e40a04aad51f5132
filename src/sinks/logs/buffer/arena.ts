// The file that output is read into: a page for its own name, then one slot for each stream that is read. The file is as
// long as its slots and mostly holes: a quiet stream has one page.
import {
  closeSync,
  ftruncateSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { randomBytes } from 'node:crypto';
import type { Libc } from '../../../os/libc.ts';
import { writeInPlace } from '../../../os/libc/in-place.ts';
import { giveBack, mapped } from '../../../os/libc/mapping.ts';
import { contentOf } from '../../../streams/output/region.ts';
import { patternOf } from '../../../streams/output/recovery.ts';
import { CAPACITY, CLAIMED, HEAD, WORDS, type Memory, type Word } from './memory.ts';

const PAGE = 4096;
const MAGIC = Buffer.from('sup output 1\n');
const SLOT = HEAD + CAPACITY;
/** Slots that are mapped at once. */
const SEGMENT = 224;
const NAME_AT = 128;
const LONGEST_NAME = HEAD - NAME_AT - 1;

/** A slot that a dead supervisor left. */
interface Left {
  readonly name: string;
  readonly memory: Memory;
}

export class Arena {
  readonly #libc: Libc;
  readonly #path: string;
  readonly #descriptor: number;
  readonly #pattern: Buffer;
  readonly #segments: Buffer[] = [];
  readonly #free: number[] = [];
  /** Slots whose first page is on the disk. */
  readonly #begun = new Set<number>();
  #slots: number;
  #closed = false;

  /** Throws where there is no room, or no leave. */
  constructor(libc: Libc, path: string) {
    this.#libc = libc;
    this.#path = path;
    const { descriptor, seed } = opened(libc, path);
    this.#descriptor = descriptor;
    this.#slots = Math.floor((statSync(path).size - PAGE) / SLOT);
    this.#pattern = Buffer.from(patternOf(seed, CAPACITY));
  }

  /** What is in use in the file as it was found; once, before the first claim. */
  left(): readonly Left[] {
    const found: Left[] = [];
    for (let slot = 0; slot < this.#slots; slot += 1) {
      const name = this.#nameIn(slot);
      if (name === undefined) this.#free.push(slot);
      else found.push({ name, memory: this.#memory(slot, this.#reservedOf(slot)) });
    }
    return found;
  }

  /** An empty slot, as `CLAIMED` says; no page of it is in memory before somebody prints. `undefined` where the name is too long for one. Throws where the disk has no room. */
  claim(name: string): Memory | undefined {
    const bytes = Buffer.from(name);
    if (bytes.length > LONGEST_NAME) return undefined;
    const slot = this.#free.pop() ?? this.#added();
    const head = Buffer.alloc(HEAD);
    bytes.copy(head, NAME_AT);
    for (const [word, value] of Object.entries(CLAIMED)) head.writeDoubleLE(value, placeOf(word as Word));
    try {
      this.#begin(slot, head);
    } catch (error) {
      this.#free.push(slot);
      throw error;
    }
    return this.#memory(slot, PAGE);
  }

  /** Removes the file when nothing is in it. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    if (this.#free.length === this.#slots) rmSync(this.#path, { force: true });
    closeSync(this.#descriptor);
  }

  /** The first page as it is at the beginning. Once it is on the disk it can be written like any memory, and is in use last. */
  #begin(slot: number, head: Buffer): void {
    const pattern = this.#pattern.subarray(0, PAGE - HEAD);
    if (this.#begun.has(slot)) {
      const page = this.#bytes(slot);
      head.copy(page);
      pattern.copy(page, HEAD);
      page.writeDoubleLE(1, placeOf('used'));
      return;
    }
    head.writeDoubleLE(1, placeOf('used'));
    this.#write(slot, 0, Buffer.concat([head, pattern]));
    this.#begun.add(slot);
  }

  #added(): number {
    ftruncateSync(this.#descriptor, PAGE + (this.#slots + 1) * SLOT);
    this.#slots += 1;
    return this.#slots - 1;
  }

  /** Through the file and not the mapping: a full disk is an error then, and not the end of the process. */
  #write(slot: number, at: number, bytes: Buffer): void {
    const written = writeSync(this.#descriptor, bytes, 0, bytes.length, PAGE + slot * SLOT + at);
    if (written < bytes.length) throw Object.assign(new Error('no room'), { code: 'ENOSPC' });
  }

  #nameIn(slot: number): string | undefined {
    const head = Buffer.alloc(HEAD);
    readSync(this.#descriptor, head, 0, HEAD, PAGE + slot * SLOT);
    if (head.readDoubleLE(placeOf('used')) === 0) return undefined;
    return head.subarray(NAME_AT, head.indexOf(0, NAME_AT)).toString();
  }

  /** The whole of a slot. */
  #bytes(slot: number): Buffer {
    const segment = Math.floor(slot / SEGMENT);
    const whole = (this.#segments[segment] ??= this.#map(segment));
    const from = (slot % SEGMENT) * SLOT;
    return whole.subarray(from, from + SLOT);
  }

  #map(segment: number): Buffer {
    const length = SEGMENT * SLOT;
    return mapped(this.#libc, { descriptor: this.#descriptor, offset: PAGE + segment * length, length });
  }

  #words(slot: number): Float64Array {
    const { buffer, byteOffset } = this.#bytes(slot);
    return new Float64Array(buffer, byteOffset, Object.keys(WORDS).length);
  }

  #reservedOf(slot: number): number {
    return Math.max(PAGE, pagesUpTo(takenIn(this.#words(slot))));
  }

  /** `reservedAtFirst`: so many bytes of it have room on the disk. */
  #memory(slot: number, reservedAtFirst: number): Memory {
    const whole = this.#bytes(slot);
    const bytes = whole.subarray(HEAD);
    const words = this.#words(slot);
    const pattern = this.#pattern;
    let reserved = reservedAtFirst;
    const reserve = (upTo: number): number => {
      const wanted = Math.min(pagesUpTo(upTo), SLOT);
      try {
        for (; reserved < wanted; reserved += PAGE)
          this.#write(slot, reserved, pattern.subarray(reserved - HEAD, reserved - HEAD + PAGE));
      } catch {
        // As far as there is room.
      }
      return reserved - HEAD;
    };
    const shrink = (): void => {
      giveBack(this.#libc, whole.subarray(PAGE));
      reserved = PAGE;
    };
    return {
      bytes,
      pattern,
      get: (word) => words[WORDS[word]] ?? 0,
      set: (word, value) => {
        words[WORDS[word]] = value;
      },
      lay: (from, to) => void pattern.copy(bytes, from, from, to),
      toFront: (from, end) => void bytes.copyWithin(0, from, end),
      reserve,
      shrink,
      free: () => {
        words[WORDS.used] = 0;
        if (reserved > PAGE) shrink();
        this.#free.push(slot);
      },
    };
  }
}

/** In bytes from the beginning of a slot. */
const placeOf = (word: Word): number => WORDS[word] * Float64Array.BYTES_PER_ELEMENT;

const pagesUpTo = (at: number): number => Math.ceil((at + HEAD) / PAGE) * PAGE;

/** Up to where somebody may have read or written. */
const takenIn = (words: Float64Array): number =>
  Math.max(words[WORDS.window] ?? 0, contentOf(words[WORDS.content] ?? 0).end);

const opened = (libc: Libc, path: string): { descriptor: number; seed: number } => {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) create(libc, path);
  const descriptor = openSync(path, 'r+');
  const head = Buffer.alloc(MAGIC.length + 4);
  readSync(descriptor, head, 0, head.length, 0);
  if (head.subarray(0, MAGIC.length).equals(MAGIC))
    return { descriptor, seed: head.readUInt32LE(MAGIC.length) };
  closeSync(descriptor);
  renameSync(path, `${path}.${String(Date.now())}.aside`);
  return opened(libc, path);
};

/** Whole, or not there. */
const create = (libc: Libc, path: string): void => {
  const descriptor = openSync(`${path}.new`, 'w', 0o600);
  try {
    writeInPlace(libc, descriptor, path);
    const page = Buffer.alloc(PAGE);
    MAGIC.copy(page);
    randomBytes(4).copy(page, MAGIC.length);
    if (writeSync(descriptor, page) < PAGE) throw Object.assign(new Error('no room'), { code: 'ENOSPC' });
  } finally {
    closeSync(descriptor);
  }
  renameSync(`${path}.new`, path);
};
