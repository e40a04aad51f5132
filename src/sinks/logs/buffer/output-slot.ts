// The slot of one output stream: a buffer with the output that was read and is not in the log yet. If this
// process dies after any step, another process can continue from the slot without losing or repeating a byte.
// Before a read, the window (the bytes that the read may fill) is filled with a known pattern. Afterwards the
// overwritten part of the pattern shows how much was read. The steps:
//
// listening   a read may fill the window, which follows the content
// counted     the slot records how much was read; the next read must wait for the steps below
// writing     the slot records which output is being written, and at which offset of the log
// written     the write is done; the content now begins after the written output
// laid        the window after the content holds the pattern again; the next state is listening
import {
  contentOf,
  EMPTY,
  ENDINGS,
  wordOf,
  type Content,
  type Write,
} from '../../../streams/output/output-region.ts';
import { lengthRead } from '../../../streams/output/output-recovery.ts';
import { CAPACITY, CLAIMED, FIRST_BYTES, plainMemory, type Memory } from './output-memory.ts';

/** The size of the largest read, bytes. A pipe holds less, so one read empties it. */
const LARGEST_WINDOW = 68 * 1024;
const SMALLEST_WINDOW = FIRST_BYTES;
const LEAST_WINDOW = 512;

export class Slot {
  memory: Memory;
  #content: Content;
  #wanted = SMALLEST_WINDOW;
  /** The bytes [cleanFrom, cleanTo) hold the fill pattern. It shows later how much a read has written. */
  #cleanFrom = 0;
  #cleanTo = 0;
  /** True from the claim until output is read into the slot. */
  #untouched = false;

  constructor(memory: Memory, content = memory.get('content')) {
    this.memory = memory;
    this.#content = contentOf(content);
  }

  /** Returns a slot for memory in the state `CLAIMED`. The memory stays untouched until output arrives. */
  static claimed(memory: Memory): Slot {
    const slot = new Slot(memory, CLAIMED.content);
    slot.#cleanTo = SMALLEST_WINDOW;
    slot.#untouched = true;
    return slot;
  }

  get start(): number {
    return this.#content.start;
  }

  get end(): number {
    return this.#content.end;
  }

  /** Returns when output was last read into the slot, µs since 1970. */
  get stamp(): number {
    return this.memory.get('stamp');
  }

  /** True if output in the slot survives the end of this process. */
  outlives(): boolean {
    return this.memory.pattern !== undefined;
  }

  /** Returns the write to the log that was begun but is not recorded as done, if any. */
  get unfinished(): Write | undefined {
    const { memory } = this;
    const cut = memory.get('cut');
    if (cut === 0 || this.start >= cut) return undefined;
    return {
      cut,
      ending: ENDINGS[memory.get('ending')] ?? 'whole',
      inode: memory.get('inode'),
      size: memory.get('size'),
      stamp: memory.get('writeStamp'),
    };
  }

  /**
   * Takes over the slot of a killed process. That process may have read bytes without recording them. This
   * method counts these bytes by the pattern, and records them.
   */
  inherit(now: number): void {
    const { start, end, listening } = this.#content;
    const { bytes, pattern } = this.memory;
    const window = { from: end, to: this.memory.get('window') };
    if (listening && pattern !== undefined) this.#count(start, end + lengthRead(bytes, pattern, window), now);
    if (this.unfinished === undefined) this.memory.set('cut', 0);
  }

  /** Returns the bytes for the next read. The slot must not change until `counted` is called. */
  listen(): Buffer {
    if (this.#untouched) return this.memory.bytes.subarray(0, SMALLEST_WINDOW);
    this.#makeRoom();
    const length = Math.min(this.#wanted, CAPACITY - this.end);
    const { start, end } = this;
    let to = Math.min(this.memory.reserve(end + length), end + length);
    if (to - end < LEAST_WINDOW) to = this.#flee(end + length);
    const { memory } = this;
    this.#lay(end, to);
    memory.set('window', to);
    this.#become({ start, end, listening: true });
    return memory.bytes.subarray(end, to);
  }

  /** Records that `length` bytes were read. */
  counted(length: number, now: number): void {
    const { start, end } = this.#content;
    if (end + length === this.memory.get('window')) this.#wanted = Math.min(this.#wanted * 5, LARGEST_WINDOW);
    this.#count(start, end + length, now);
  }

  writing({ cut, ending, inode, size, stamp }: Write): void {
    const { memory } = this;
    memory.set('ending', ENDINGS.indexOf(ending));
    memory.set('inode', inode);
    memory.set('size', size);
    memory.set('writeStamp', stamp);
    memory.set('cut', cut);
  }

  /** Records that all output before the offset `cut` is in the log or was dropped. */
  written(cut: number): void {
    this.#become({ start: cut, end: this.end, listening: this.#content.listening });
    this.memory.set('cut', 0);
  }

  /** Records that the write did not happen, so that the lines of this write stay in the slot. */
  notWritten(): void {
    this.memory.set('cut', 0);
  }

  /**
   * Frees the memory that a burst of output needed. The slot must be empty, and no read may be in progress.
   */
  rest(): void {
    this.#untouched = false;
    this.#become(EMPTY);
    this.#wanted = SMALLEST_WINDOW;
    this.#cleanTo = Math.min(this.#cleanTo, SMALLEST_WINDOW);
    this.memory.shrink();
  }

  /** True if the slot is empty but still has the memory that a burst of output needed. */
  isIdle(): boolean {
    return this.start === this.end && this.#wanted > SMALLEST_WINDOW;
  }

  /**
   * Moves the content to plain memory, because the disk is full. The content is then lost if this process
   * dies, but new output would otherwise be lost at once.
   */
  #flee(to: number): number {
    const { memory: left, start, end } = this;
    this.memory = plainMemory();
    left.bytes.copy(this.memory.bytes, start, start, end);
    for (const word of ['stamp', 'cut', 'ending', 'inode', 'size', 'writeStamp'] as const)
      this.memory.set(word, left.get(word));
    left.free();
    return to;
  }

  #count(start: number, end: number, now: number): void {
    this.#untouched = false;
    this.memory.set('stamp', now);
    this.#become({ start, end, listening: false });
    this.#cleanFrom = Math.max(this.#cleanFrom, end);
  }

  #makeRoom(): void {
    const { start, end } = this;
    if (start === end) {
      if (end > 0) this.#become(EMPTY);
      return;
    }
    const length = end - start;
    if (start < length || CAPACITY - end >= LARGEST_WINDOW) return;
    this.memory.toFront(start, end);
    this.#become({ start: 0, end: length, listening: false });
  }

  /** Writes the pattern into the bytes [from, to), except into bytes that hold it already. */
  #lay(from: number, to: number): void {
    const [cleanFrom, cleanTo] =
      this.#cleanFrom < this.#cleanTo ? [this.#cleanFrom, this.#cleanTo] : [to, to];
    if (from < cleanFrom) this.memory.lay(from, Math.min(to, cleanFrom));
    if (to > cleanTo) this.memory.lay(Math.max(from, cleanTo), to);
    this.#cleanFrom = from;
    this.#cleanTo = to < cleanFrom ? to : Math.max(to, cleanTo);
  }

  #become(content: Content): void {
    this.#content = content;
    this.memory.set('content', wordOf(content));
  }
}
