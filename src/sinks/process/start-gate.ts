// Starts wait here for their turn (`turns.ts`). Before another program replaces this one, the gate is held:
// starts that have not passed wait for the other program to start them (`docs/reliability.md`, "Upgrade").
import type { Unbegun } from '../../streams/domain/handed.ts';
import { Rounds } from './turns.ts';

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
