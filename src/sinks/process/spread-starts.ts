// Spreads starts over turns of the event loop, so that many starts do not delay commands, probes and exits: a
// start blocks the event loop for half a millisecond or more. As many starts happen in one turn as fit into
// 20 ms, because a turn with several starts costs a third less time per start than a turn with one. An
// upgrade holds the gate, and hands the waiting starts over to the new program (`docs/reliability.md`,
// "Upgrade").
import type { Unbegun } from '../../streams/domain/handed-commands.ts';

/** The intended duration of a turn of the event loop including its starts, ms. */
const ROUND_MS = 20;
/**
 * The maximum number of starts in one turn. Each start opens two descriptors for its output, and only `ROOM`
 * descriptors (`os/descriptor-budget.ts`) are kept free.
 */
const MOST = 12;

interface Round {
  /**
   * `size`: how many starts the turn allowed. `passed`: how many took place. `took`: the duration of the
   * turn, ms.
   */
  readonly size: number;
  readonly passed: number;
  readonly took: number;
}

/**
 * Returns how many starts the next turn allows: at least 1, at most `MOST`, and at most twice as many as this
 * turn. If this turn had fewer starts than it allowed, the next turn allows the same number.
 */
export const sizeAfter = ({ size, passed, took }: Round): number =>
  passed < size ? size : Math.max(1, Math.min(Math.floor((size * ROUND_MS) / took), 2 * size, MOST));

/** Lets callers pass in order: in each turn of the event loop, as many as fit into `ROUND_MS`. */
export class Rounds {
  readonly #now: () => number;
  readonly #queue: (() => void)[] = [];
  #size = 1;
  #busy = false;
  #held = false;

  /** `now` returns ms of a monotonic clock. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Resolves when the caller may pass. Calls `through` just before it resolves. */
  turn(through: () => void = () => undefined): Promise<void> {
    return new Promise((settle) => {
      this.#queue.push(() => {
        through();
        settle();
      });
      // This is deferred, so that all calls of the same tick are already in the queue.
      queueMicrotask(() => this.#next());
    });
  }

  /** Makes all callers wait until `release`. */
  hold(): void {
    this.#held = true;
  }

  /** Lets waiting callers pass, in order. */
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
  /** Resolves when the process may be started; from then on the start is in progress. */
  readonly turn: () => Promise<void>;
  /** Removes the start from the waiting starts. Call it after the start, or when the start is given up. */
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

  /** Lets waiting starts take place. */
  release(): void {
    this.#rounds.release();
  }

  /**
   * Returns the starts that wait while the gate is held. If the gate is open, returns none: they pass soon.
   */
  heldUp(): readonly Unbegun[] {
    return this.#rounds.isHeld ? [...this.#outside] : [];
  }
}
