// The buffer of one output stream: what was read and is not in its log yet. After every step another process
// can continue from it, without losing or repeating a byte:
//
//   listening   reads fill the window after the content; the broken pattern shows how far
//   counted     a read is counted; no further read before the steps below are done
//   writing     what is being written, and where in the log it begins
//   written     the content begins after it, the write is over
//   laid        the pattern follows the content again: listening
import {
  contentOf,
  EMPTY,
  ENDINGS,
  wordOf,
  type Content,
  type Write,
} from '../../../streams/output/region.ts';
import { lengthRead } from '../../../streams/output/recovery.ts';
import { CAPACITY, CLAIMED, FIRST_BYTES, plainMemory, type Memory } from './output-memory.ts';

/** More than a pipe holds: one read then empties it, and other streams get their turn. */
const LARGEST_WINDOW = 68 * 1024;
const SMALLEST_WINDOW = FIRST_BYTES;
const LEAST_WINDOW = 512;

export class Slot {
  memory: Memory;
  #content: Content;
  #wanted = SMALLEST_WINDOW;
  /** [cleanFrom, cleanTo) holds the pattern. */
  #cleanFrom = 0;
  #cleanTo = 0;
  /** True after a claim until something is read. */
  #untouched = false;

  constructor(memory: Memory, content = memory.get('content')) {
    this.memory = memory;
    this.#content = contentOf(content);
  }

  /** A slot on memory in the state `CLAIMED`: it is neither read nor written before output arrives. */
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

  /** When the content was read, in microseconds. */
  get stamp(): number {
    return this.memory.get('stamp');
  }

  /** True if the content survives this process. */
  outlives(): boolean {
    return this.memory.pattern !== undefined;
  }

  /** The write that was begun and not noted as done. */
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

  /** Takes over the slot of a killed process: counts what that process did not count. */
  inherit(now: number): void {
    const { start, end, listening } = this.#content;
    const { bytes, pattern } = this.memory;
    const window = { from: end, to: this.memory.get('window') };
    if (listening && pattern !== undefined) this.#count(start, end + lengthRead(bytes, pattern, window), now);
    if (this.unfinished === undefined) this.memory.set('cut', 0);
  }

  /** Where the next read goes. The slot must not change before `counted`. */
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

  /** Counts a read of this many bytes after the content. */
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

  /** Notes that everything before `cut` is in the log, or given up. */
  written(cut: number): void {
    this.#become({ start: cut, end: this.end, listening: this.#content.listening });
    this.memory.set('cut', 0);
  }

  /** Cancels the write. */
  notWritten(): void {
    this.memory.set('cut', 0);
  }

  /** Frees the memory of a flood. Only while the slot is empty and not read into. */
  rest(): void {
    this.#untouched = false;
    this.#become(EMPTY);
    this.#wanted = SMALLEST_WINDOW;
    this.#cleanTo = Math.min(this.#cleanTo, SMALLEST_WINDOW);
    this.memory.shrink();
  }

  /** True if a flood has passed through and left nothing. */
  isIdle(): boolean {
    return this.start === this.end && this.#wanted > SMALLEST_WINDOW;
  }

  /** Moves to plain memory when the disk is full: output in this process alone is better than none. */
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

  /** Writes the pattern only where it was overwritten. */
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
