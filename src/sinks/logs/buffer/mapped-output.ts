// The file, mapped into memory, that output is read into: a header page, then a slot for each stream. On disk
// the file consists mostly of holes: the slot of a quiet stream takes one page.
// Rules: `docs/behaviour.md`, "Output".
import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { randomBytes } from 'node:crypto';
import { openAtOnce } from '../../../os/files/own-file.ts';
import type { Libc } from '../../../os/libc/libc.ts';
import { giveBack, mapOver, mapped, writeInPlace } from '../../../os/libc/file-calls.ts';
import { contentOf } from '../../../streams/output/output-region.ts';
import { patternOf } from '../../../streams/output/output-recovery.ts';
import { CAPACITY, CLAIMED, HEAD, WORDS, type Memory, type Word } from './output-memory.ts';

const { O_RDWR, O_CREAT, O_TRUNC } = constants;

const PAGE = 4096;
const MAGIC = Buffer.from('sup output 1\n');
const SLOT = HEAD + CAPACITY;
/** The number of slots (buffers of one stream each) that are mapped into memory together. */
const SEGMENT = 224;
const NAME_AT = 128;
const LONGEST_NAME = HEAD - NAME_AT - 1;

/** A slot that a dead supervisor was using. It may contain output that is in no log. */
interface UsedSlot {
  readonly name: string;
  readonly memory: Memory;
}

export class Arena {
  readonly #libc: Libc;
  readonly #path: string;
  #descriptor: number;
  readonly #pattern: Buffer;
  readonly #segments: Buffer[] = [];
  readonly #free: number[] = [];
  /** For each slot that has its first page on disk: how many of its bytes have disk space. */
  readonly #reserved = new Map<number, number>();
  #slots: number;
  #closed = false;

  /** Opens or creates the file. Throws if the disk is full or permission is missing. */
  constructor(libc: Libc, path: string) {
    this.#libc = libc;
    this.#path = path;
    const { descriptor, seed } = opened(libc, path);
    this.#descriptor = descriptor;
    this.#slots = Math.floor((statSync(path).size - PAGE) / SLOT);
    this.#pattern = Buffer.from(patternOf(seed, CAPACITY));
  }

  /** Returns the slots that a dead supervisor was using. Call it once, before the first claim. */
  left(): readonly UsedSlot[] {
    const found: UsedSlot[] = [];
    for (let slot = 0; slot < this.#slots; slot += 1) {
      const name = this.#nameIn(slot);
      if (name === undefined) this.#free.push(slot);
      else found.push({ name, memory: this.#found(slot) });
    }
    return found;
  }

  /** Returns an empty slot; `undefined` if the name is too long. Throws if the disk is full. */
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
    return this.#memory(slot);
  }

  /** If the file was deleted, creates it again with its content. Throws if the disk is full. */
  mend(): void {
    if (this.#closed || statSync(this.#path, { throwIfNoEntry: false })?.ino === inodeOf(this.#descriptor))
      return;
    const before = this.#descriptor;
    this.#descriptor = create(this.#libc, this.#path, (descriptor) => this.#copyTo(descriptor));
    this.#segments.forEach((part, segment) => {
      mapOver(this.#libc, part, { descriptor: this.#descriptor, offset: offsetOf(segment) });
    });
    closeSync(before);
  }

  /** Closes the file, and deletes it if no slot is in use. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    if (this.#free.length === this.#slots) rmSync(this.#path, { force: true });
    closeSync(this.#descriptor);
  }

  /**
   * Initialises the first page of a slot. In mapped memory, the word `used` is set last, so that a killed
   * process leaves no incomplete slot in use.
   */
  #begin(slot: number, head: Buffer): void {
    const pattern = this.#pattern.subarray(0, PAGE - HEAD);
    if (this.#reserved.has(slot)) {
      const page = this.#bytes(slot);
      head.copy(page);
      pattern.copy(page, HEAD);
      page.writeDoubleLE(1, placeOf('used'));
      return;
    }
    head.writeDoubleLE(1, placeOf('used'));
    this.#write(slot, 0, Buffer.concat([head, pattern]));
    this.#reserved.set(slot, PAGE);
  }

  #copyTo(descriptor: number): void {
    const head = Buffer.alloc(PAGE);
    readSync(this.#descriptor, head, 0, PAGE, 0);
    writeWhole(descriptor, head, 0);
    ftruncateSync(descriptor, PAGE + this.#slots * SLOT);
    for (const [slot, reserved] of this.#reserved)
      writeWhole(descriptor, this.#bytes(slot).subarray(0, reserved), PAGE + slot * SLOT);
  }

  #added(): number {
    ftruncateSync(this.#descriptor, PAGE + (this.#slots + 1) * SLOT);
    this.#slots += 1;
    return this.#slots - 1;
  }

  /** Writes by a system call: on a full disk a write to mapped memory would kill this process (SIGBUS). */
  #write(slot: number, at: number, bytes: Buffer): void {
    writeWhole(this.#descriptor, bytes, PAGE + slot * SLOT + at);
  }

  #nameIn(slot: number): string | undefined {
    const head = Buffer.alloc(HEAD);
    readSync(this.#descriptor, head, 0, HEAD, PAGE + slot * SLOT);
    if (head.readDoubleLE(placeOf('used')) === 0) return undefined;
    return head.subarray(NAME_AT, head.indexOf(0, NAME_AT)).toString();
  }

  #bytes(slot: number): Buffer {
    const segment = Math.floor(slot / SEGMENT);
    const whole = (this.#segments[segment] ??= this.#map(segment));
    const from = (slot % SEGMENT) * SLOT;
    return whole.subarray(from, from + SLOT);
  }

  #map(segment: number): Buffer {
    const place = { descriptor: this.#descriptor, offset: offsetOf(segment) };
    return mapped(this.#libc, { ...place, length: SEGMENT * SLOT });
  }

  #words(slot: number): Float64Array {
    const { buffer, byteOffset } = this.#bytes(slot);
    return new Float64Array(buffer, byteOffset, Object.keys(WORDS).length);
  }

  #found(slot: number): Memory {
    this.#reserved.set(slot, Math.max(PAGE, pagesUpTo(takenIn(this.#words(slot)))));
    return this.#memory(slot);
  }

  #memory(slot: number): Memory {
    const whole = this.#bytes(slot);
    const bytes = whole.subarray(HEAD);
    const words = this.#words(slot);
    const pattern = this.#pattern;
    const reserved = (): number => this.#reserved.get(slot) ?? PAGE;
    const reserve = (upTo: number): number => {
      const wanted = Math.min(pagesUpTo(upTo), SLOT);
      try {
        for (let at = reserved(); at < wanted; at += PAGE) {
          this.#write(slot, at, pattern.subarray(at - HEAD, at - HEAD + PAGE));
          this.#reserved.set(slot, at + PAGE);
        }
      } catch {
        // The disk is full: only the bytes that already have disk space can be used.
      }
      return reserved() - HEAD;
    };
    const shrink = (): void => {
      giveBack(this.#libc, whole.subarray(PAGE));
      this.#reserved.set(slot, PAGE);
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
        if (reserved() > PAGE) shrink();
        this.#free.push(slot);
      },
    };
  }
}

/** Writes all bytes. Throws if the disk is full. */
const writeWhole = (descriptor: number, bytes: Buffer, at: number): void => {
  const written = writeSync(descriptor, bytes, 0, bytes.length, at);
  if (written < bytes.length) throw Object.assign(new Error('no room'), { code: 'ENOSPC' });
};

const inodeOf = (descriptor: number): number => fstatSync(descriptor).ino;

/** Returns the offset in the file of a segment (slots that are mapped together), bytes. */
const offsetOf = (segment: number): number => PAGE + segment * SEGMENT * SLOT;

/** Returns the offset of a word (a number in the head of a slot) in its slot, bytes. */
const placeOf = (word: Word): number => WORDS[word] * Float64Array.BYTES_PER_ELEMENT;

const pagesUpTo = (at: number): number => Math.ceil((at + HEAD) / PAGE) * PAGE;

/** Returns the offset up to which a read or write may have changed the bytes of a slot. */
const takenIn = (words: Float64Array): number =>
  Math.max(words[WORDS.window] ?? 0, contentOf(words[WORDS.content] ?? 0).end);

const setAside = (path: string): void => renameSync(path, `${path}.${String(Date.now())}.aside`);

const opened = (libc: Libc, path: string): { descriptor: number; seed: number } => {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isFile() === false) setAside(path);
  const isThere = found?.isFile() === true;
  const descriptor = isThere ? openAtOnce(path, O_RDWR) : create(libc, path, writeFirstPage);
  const head = Buffer.alloc(MAGIC.length + 4);
  readSync(descriptor, head, 0, head.length, 0);
  if (head.subarray(0, MAGIC.length).equals(MAGIC))
    return { descriptor, seed: head.readUInt32LE(MAGIC.length) };
  closeSync(descriptor);
  setAside(path);
  return opened(libc, path);
};

const writeFirstPage = (descriptor: number): void => {
  const page = Buffer.alloc(PAGE);
  MAGIC.copy(page);
  randomBytes(4).copy(page, MAGIC.length);
  writeWhole(descriptor, page, 0);
};

/** Creates the file, complete or not at all. Returns its descriptor, open for reading and writing. */
const create = (libc: Libc, path: string, fill: (descriptor: number) => void): number => {
  const descriptor = openAtOnce(`${path}.new`, O_RDWR | O_CREAT | O_TRUNC);
  try {
    writeInPlace(libc, descriptor, path);
    fill(descriptor);
    renameSync(`${path}.new`, path);
    return descriptor;
  } catch (error) {
    closeSync(descriptor);
    rmSync(`${path}.new`, { force: true });
    throw error;
  }
};
