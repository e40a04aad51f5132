// Starting a process holds up the event loop for half a millisecond or more, because the system call waits for the new
// program. A burst of starts (two hundred services whose backoff is over at the same moment) must not hold up commands,
// probes and exits for the sum of that: a turn of the loop has some of them. But as many as it can bear: starts one after
// the other, and then what became of all of them, cost a third less than each with what follows from it, since what a
// start and a step of the kernel need is no longer in the processor's caches after the other.
import { sizeAfter } from '../../streams/launch/round-size.ts';

/** Who comes passes in order, in this very turn of the event loop or a later one: in each as many as it can bear. */
export class Rounds {
  readonly #now: () => number;
  readonly #queue: (() => void)[] = [];
  #size = 1;
  #busy = false;
  #held = false;

  /** `now`: in ms, of a clock that nobody sets. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Settles when it is the caller's turn. `through` is called in that very turn, before whoever waits hears of it. */
  turn(through: () => void = () => undefined): Promise<void> {
    return new Promise((settle) => {
      this.#queue.push(() => {
        through();
        settle();
      });
      // With all who come in the same moment.
      queueMicrotask(() => this.#next());
    });
  }

  /** Nobody passes any more. */
  hold(): void {
    this.#held = true;
  }

  /** As before. */
  release(): void {
    this.#held = false;
    this.#next();
  }

  get isHeld(): boolean {
    return this.#held;
  }

  #next(): void {
    if (this.#busy || this.#held || this.#queue.length === 0) return;
    this.#busy = true;
    const round = this.#queue.splice(0, this.#size);
    const began = this.#now();
    for (const pass of round) pass();
    setImmediate(() => {
      this.#size = sizeAfter({ size: this.#size, passed: round.length, took: this.#now() - began });
      this.#busy = false;
      this.#next();
    });
  }
}
