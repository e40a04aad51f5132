// The slots of all streams: in the mapped file where there can be one, else in this process alone.
import { errnoOf, refusalText } from '../../../os/errno.ts';
import type { Libc } from '../../../os/libc.ts';
import type { OnTrouble } from '../trouble.ts';
import { Arena } from './arena.ts';
import { plainMemory, type Memory } from './memory.ts';
import { Slot } from './slot.ts';

interface SlotsPorts {
  /** Absent: nothing can be mapped. */
  readonly libc: Libc | undefined;
  readonly path: string;
  /** In microseconds. */
  readonly now: () => number;
  readonly onTrouble: OnTrouble;
}

/** Where one stream is kept. */
export interface Taken {
  /** What runs that are over had left to be written when a supervisor died, oldest first. */
  readonly over: readonly Slot[];
  /** What is read goes there. */
  readonly slot: Slot;
}

/** When something was counted in it last: nothing yet in the one that was claimed last. */
const countedAt = (memory: Memory): number => memory.get('stamp') || Infinity;

export class Slots {
  readonly #ports: SlotsPorts;
  readonly #arena: Arena | undefined;
  readonly #left = new Map<string, Memory[]>();
  #said = false;

  constructor(ports: SlotsPorts) {
    this.#ports = ports;
    this.#arena = this.#opened();
    for (const { name, memory } of this.#arena?.left() ?? [])
      this.#left.set(name, [...(this.#left.get(name) ?? []), memory]);
  }

  /** Streams that a dead supervisor had in hand, and that nobody has taken over yet. */
  left(): readonly string[] {
    return [...this.#left.keys()];
  }

  /** The slots of a stream; `inherited` is told of each that was left before anything else is done with it. */
  take(name: string, inherited: (slot: Slot) => void): Taken {
    const left = (this.#left.get(name) ?? []).toSorted((a, b) => countedAt(a) - countedAt(b));
    this.#left.delete(name);
    const slots = left.map((memory) => this.#inherited(memory));
    slots.forEach(inherited);
    return { over: slots.slice(0, -1), slot: slots.at(-1) ?? this.#claimed(name) };
  }

  /** Makes the file again if it was removed: without it the next supervisor would not find what this one has in hand. */
  mend(): void {
    try {
      this.#arena?.mend();
    } catch (error) {
      this.#say(error);
    }
  }

  close(): void {
    this.#arena?.close();
  }

  #opened(): Arena | undefined {
    const { libc, path } = this.#ports;
    try {
      return libc === undefined ? undefined : new Arena(libc, path);
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT') this.#say(error);
      return undefined;
    }
  }

  #inherited(memory: Memory): Slot {
    const slot = new Slot(memory);
    slot.inherit(this.#ports.now());
    return slot;
  }

  #claimed(name: string): Slot {
    try {
      const memory = this.#arena?.claim(name);
      if (memory !== undefined) return Slot.claimed(memory);
    } catch (error) {
      this.#say(error);
    }
    return new Slot(plainMemory());
  }

  /** Once: it is one disk. */
  #say(error: unknown): void {
    if (this.#said) return;
    this.#said = true;
    const { path, onTrouble } = this.#ports;
    onTrouble(
      `output cannot be kept in ${path} (${refusalText(error)}): a line that is not finished is lost if the supervisor is killed`,
    );
  }
}
