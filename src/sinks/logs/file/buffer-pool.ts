// Copies of lines that wait for the disk. A flood makes thousands of large ones a second, which the garbage collector is
// slow to notice: these are used again instead.

/** One pooled copy holds this much; a chunk of 64 KiB with stamps on its lines mostly fits. */
const SIZE = 128 * 1024;
/** Smaller ones are left to the garbage collector. */
const SMALLEST = 32 * 1024;
/** How many are kept when nothing waits. */
const KEPT = 32;

export class BufferPool {
  readonly #free: Buffer[] = [];

  copyOf(lines: Buffer): Buffer {
    if (lines.length < SMALLEST || lines.length > SIZE) return Buffer.from(lines);
    const whole = this.#free.pop() ?? Buffer.allocUnsafeSlow(SIZE);
    lines.copy(whole);
    return whole.subarray(0, lines.length);
  }

  /** Nobody may look at the copy any more. */
  giveBack(copy: Buffer): void {
    if (copy.length < SMALLEST || copy.buffer.byteLength !== SIZE || this.#free.length >= KEPT) return;
    this.#free.push(Buffer.from(copy.buffer));
  }
}
