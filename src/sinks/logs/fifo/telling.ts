// Sends new FIFOs to a living keeper, in groups, since each group is a process there.
import type { Writable } from 'node:stream';
import { GROUP, toldOf } from './keeper-script.ts';

/** The most groups sent within `WITHIN_MS`: where hundreds of services start, the next keeper comes soon. */
const MOST = 32;
const WITHIN_MS = 2_000;

export class Telling {
  #ear: Writable | undefined;
  #group: string[] = [];
  /** Groups sent since then, on the monotonic clock. */
  #told = { count: 0, since: Number.NEGATIVE_INFINITY };

  /** Switches to a new keeper, which holds all FIFOs known so far, or to none. */
  to(ear: Writable | undefined): void {
    this.#ear = ear;
    this.#group = [];
  }

  /** True if the keeper soon holds them: at once if a group is full, else at the end of the current work. */
  tell(fifos: readonly string[], now: number): boolean {
    if (this.#ear === undefined || fifos.some((fifo) => fifo.includes('\n'))) return false;
    if (now - this.#told.since > WITHIN_MS) this.#told = { count: 0, since: now };
    if (this.#told.count >= MOST) return false;
    if (this.#group.length === 0) process.nextTick(() => this.#flush());
    this.#group.push(...fifos);
    if (this.#group.length >= GROUP) this.#flush();
    return true;
  }

  #flush(): void {
    while (this.#group.length > 0) {
      this.#ear?.write(toldOf(this.#group.splice(0, GROUP)));
      this.#told.count += 1;
    }
  }
}
