// Where starts wait for their turn (`turns.ts`). Before another program takes the place of this one, the gate is held: who
// has not passed it by then waits on, and is the other program's to start (`docs/reliability.md`, "Upgrade").
import type { Unbegun } from '../../streams/domain/handed.ts';
import { Rounds } from './turns.ts';

/** A start that was asked for. */
export interface Ticket {
  /** Settles when its process may be started: from that moment on it is under way. */
  readonly turn: () => Promise<void>;
  /** It was started, or will not be. */
  readonly over: () => void;
}

export class StartGate {
  readonly #outside = new Set<Unbegun>();
  readonly #rounds = new Rounds();

  /** In the turn in which the start is asked for. */
  ticket(start: Unbegun): Ticket {
    this.#outside.add(start);
    const over = (): void => void this.#outside.delete(start);
    return { over, turn: () => this.#rounds.turn(over) };
  }

  /** Nobody passes any more. */
  hold(): void {
    this.#rounds.hold();
  }

  /** As before. */
  release(): void {
    this.#rounds.release();
  }

  /** Those who cannot pass; nobody while it is not held, since they could in the next moment. */
  heldUp(): readonly Unbegun[] {
    return this.#rounds.isHeld ? [...this.#outside] : [];
  }
}
