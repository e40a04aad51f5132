// Starts wait here for their turn. Starting a process blocks the event loop for half a millisecond or more,
// because the system call waits for the new program. A burst of starts (two hundred backoffs that end
// together) must not block commands, probes and exits for that sum. So each turn of the loop starts as many
// as it can bear. Batches are a third cheaper than single starts: starts and kernel steps evict each other
// from the processor's caches. Before another program replaces this one, the gate is held: starts that have
// not passed wait for the other program to start them (`docs/reliability.md`, "Upgrade").
import type { Unbegun } from '../../streams/domain/handed-commands.ts';

/** The target duration of a turn with starts and all its other work, ms. */
const ROUND_MS = 20;
/** All of a round open their output before the first starts: two of the reserved descriptors each. */
const MOST = 12;

interface Round {
  /** `size` starts were allowed, and `passed` took place. */
  readonly size: number;
  readonly passed: number;
  /** The duration of the turn, ms. */
  readonly took: number;
}

/**
 * Returns the size of the next round: at least 1, at most double. If fewer started than allowed, it stays the
 * same.
 */
export const sizeAfter = ({ size, passed, took }: Round): number =>
  passed < size ? size : Math.max(1, Math.min(Math.floor((size * ROUND_MS) / took), 2 * size, MOST));

/** Callers pass in order, in this turn of the event loop or a later one: in each as many as it can bear. */
export class Rounds {
  readonly #now: () => number;
  readonly #queue: (() => void)[] = [];
  #size = 1;
  #busy = false;
  #held = false;

  /** `now`: milliseconds of a monotonic clock. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Resolves when it is the caller's turn. `through` is called in that turn, before the caller continues. */
  turn(through: () => void = () => undefined): Promise<void> {
    return new Promise((settle) => {
      this.#queue.push(() => {
        through();
        settle();
      });
      // Together with all calls of the same moment.
      queueMicrotask(() => this.#next());
    });
  }

  /** Lets no caller pass any more. */
  hold(): void {
    this.#held = true;
  }

  /** Lets callers pass again. */
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

/** A requested start. */
export interface Ticket {
  /** Resolves when its process may be started: from then on it is in progress. */
  readonly turn: () => Promise<void>;
  /** Ends the ticket: it was started, or will not be. */
  readonly over: () => void;
}

export class StartGate {
  readonly #outside = new Set<Unbegun>();
  readonly #rounds = new Rounds();

  /** A ticket for a start; must be called in the turn of the request. */
  ticket(start: Unbegun): Ticket {
    this.#outside.add(start);
    const over = (): void => void this.#outside.delete(start);
    return { over, turn: () => this.#rounds.turn(over) };
  }

  /** Lets no start pass any more. */
  hold(): void {
    this.#rounds.hold();
  }

  /** Lets starts pass again. */
  release(): void {
    this.#rounds.release();
  }

  /** Starts that cannot pass; none while the gate is open, since they could pass in the next moment. */
  heldUp(): readonly Unbegun[] {
    return this.#rounds.isHeld ? [...this.#outside] : [];
  }
}
