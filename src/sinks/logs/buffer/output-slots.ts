// The slots (buffers of unwritten output) of all streams. They are in the mapped file if possible, otherwise
// only in the memory of this process.
import { errnoOf, refusalText } from '../../../os/errno.ts';
import type { Libc } from '../../../os/libc/libc.ts';
import type { LogError } from '../capture-ports.ts';
import { Arena } from './mapped-output.ts';
import { plainMemory, type Memory } from './output-memory.ts';
import { Slot } from './output-slot.ts';

interface SlotsPorts {
  /**
   * The C library, by which the file is mapped. If absent, slots exist only in the memory of this process.
   */
  readonly libc: Libc | undefined;
  readonly path: string;
  /** Returns the time, µs. */
  readonly now: () => number;
  readonly logError: LogError;
}

/** The slots of one stream. */
export interface TakenSlots {
  /** Slots with output of ended runs that a dead supervisor had not written to the log, oldest first. */
  readonly over: readonly Slot[];
  /** The slot for new output of the stream. */
  readonly slot: Slot;
}

/** Returns the time at which output was last read into the slot; `Infinity` if none was. */
const countedAt = (memory: Memory): number => memory.get('stamp') || Infinity;

export class OutputSlots {
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

  /**
   * Returns the names of the streams that a dead supervisor was reading, except those that were already
   * passed to `take`.
   */
  left(): readonly string[] {
    return [...this.#left.keys()];
  }

  /**
   * Returns the slots of a stream. Before it returns, it calls `inherited` with each slot of a dead
   * supervisor.
   */
  take(name: string, inherited: (slot: Slot) => void): TakenSlots {
    const left = (this.#left.get(name) ?? []).toSorted((a, b) => countedAt(a) - countedAt(b));
    this.#left.delete(name);
    const slots = left.map((memory) => this.#inherited(memory));
    slots.forEach(inherited);
    return { over: slots.slice(0, -1), slot: slots.at(-1) ?? this.#claimed(name) };
  }

  /** If the mapped file was deleted, creates it again: the next supervisor finds unwritten output there. */
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

  /** Reports a disk error once, not for each stream, because all streams share the disk. */
  #say(error: unknown): void {
    if (this.#said) return;
    this.#said = true;
    const { path, logError } = this.#ports;
    logError(
      `output cannot be kept in ${path} (${refusalText(error)}): a line that is not finished is lost if the supervisor is killed`,
    );
  }
}
