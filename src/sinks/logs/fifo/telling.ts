// What a living keeper is told: FIFOs that have just been made, in groups, since each group is a process there.
import type { Writable } from 'node:stream';
import { GROUP, toldOf } from './keeper-script.ts';

/** So many groups are told to living keepers within so many ms: where hundreds of services start the next keeper comes soon. */
const MOST = 32;
const WITHIN_MS = 2_000;

export class Telling {
  #ear: Writable | undefined;
  #group: string[] = [];
  /** How many groups were told since, by a clock that nobody sets. */
  #told = { count: 0, since: Number.NEGATIVE_INFINITY };

  /** Another keeper listens from now on, which has all that was known before; or none does. */
  to(ear: Writable | undefined): void {
    this.#ear = ear;
    this.#group = [];
  }

  /** Whether the keeper holds them within a moment: at once where a group is full, at the end of what is being done at the latest. */
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
