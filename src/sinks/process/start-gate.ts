// Spreads starts over turns of the event loop, and can hold them back.
// Starting a process blocks the event loop for half a millisecond or more, because the system call returns
// only when the new program runs. A burst of starts (for example, two hundred backoffs that end together)
// must not delay commands, probes and exits. So each turn of the loop starts as many as fit into about 20 ms.
// Starts in a batch are a third cheaper than single starts, because starts and other work evict each other
// from the CPU caches.
// Before another program replaces this one (an upgrade), the gate is held. Starts that have not passed are
// handed over to the new program (`docs/reliability.md`, "Upgrade").
import type { Unbegun } from '../../streams/domain/handed-commands.ts';

/** Target duration of a turn of the event loop, with its starts and all other work, ms. */
const ROUND_MS = 20;
/**
 * Maximum number of starts in one turn. All of them open their output before the first starts, which takes
 * two of the reserved descriptors each.
 */
const MOST = 12;

interface Round {
  /** `size`: how many starts were allowed. `passed`: how many took place. */
  readonly size: number;
  readonly passed: number;
  /** Duration of the turn, ms. */
  readonly took: number;
}

/**
 * Returns how many starts the next turn may have: at least 1, at most twice as many as now and at most
 * `MOST`. Unchanged if fewer started than allowed.
 */
export const sizeAfter = ({ size, passed, took }: Round): number =>
  passed < size ? size : Math.max(1, Math.min(Math.floor((size * ROUND_MS) / took), 2 * size, MOST));

/** Lets callers pass in order, as many per turn of the event loop as fit into its target duration. */
export class Rounds {
  readonly #now: () => number;
  readonly #queue: (() => void)[] = [];
  #size = 1;
  #busy = false;
  #held = false;

  /** `now`: returns milliseconds of a monotonic clock. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Resolves when the caller may pass. `through` is called in that turn, before the caller continues. */
  turn(through: () => void = () => undefined): Promise<void> {
    return new Promise((settle) => {
      this.#queue.push(() => {
        through();
        settle();
      });
      // Deferred, so that all calls of the same moment are in the queue.
      queueMicrotask(() => this.#next());
    });
  }

  /** Makes all callers wait until `release`. */
  hold(): void {
    this.#held = true;
  }

  /** Ends `hold`: waiting callers may pass, in order. */
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

/** A requested start that waits in the gate. */
export interface Ticket {
  /** Resolves when the process may be started. From then on the start counts as in progress. */
  readonly turn: () => Promise<void>;
  /** Call it when the start was made or given up: removes the request from the gate. */
  readonly over: () => void;
}

export class StartGate {
  readonly #outside = new Set<Unbegun>();
  readonly #rounds = new Rounds();

  /** Registers a start and returns its ticket. Call it in the tick of the request. */
  ticket(start: Unbegun): Ticket {
    this.#outside.add(start);
    const over = (): void => void this.#outside.delete(start);
    return { over, turn: () => this.#rounds.turn(over) };
  }

  /** Makes all starts wait until `release`. */
  hold(): void {
    this.#rounds.hold();
  }

  /** Ends `hold`: waiting starts may take place. */
  release(): void {
    this.#rounds.release();
  }

  /**
   * Returns the starts that wait in a held gate. Returns none while the gate is open, because they could pass
   * at any moment.
   */
  heldUp(): readonly Unbegun[] {
    return this.#rounds.isHeld ? [...this.#outside] : [];
  }
}
