// The concurrency gate, for `start/max_concurrent`: two lists in the state. A service that is stopped in the
// queue is simply removed from it. The number of starts in progress is the length of a list, so no counter
// can be wrong.
// Rules: `docs/behaviour.md`, "Starting", "The gate".
import type { ServiceId } from '../domain/ids.ts';

export interface Gate {
  /** Services that could start but have to wait for a place, in order. */
  readonly queue: readonly ServiceId[];
  /**
   * Services that were admitted and are not ready yet. Empty if there is no limit, because then they are not
   * counted.
   */
  readonly inside: readonly ServiceId[];
}

/** An empty gate. */
export const OPEN_GATE: Gate = { queue: [], inside: [] };

/** True if there is a limit; `max` -1 means none. */
export const isCapped = (max: number): boolean => max >= 0;

/** True if one more service may be admitted. */
export const hasRoom = ({ inside }: Gate, max: number): boolean => !isCapped(max) || inside.length < max;

const without = (ids: readonly ServiceId[], id: ServiceId): readonly ServiceId[] =>
  ids.includes(id) ? ids.filter((other) => other !== id) : ids;

/** Adds the service to the end of the queue, unless it is there already. */
export const queued = (gate: Gate, id: ServiceId): Gate =>
  gate.queue.includes(id) ? gate : { ...gate, queue: [...gate.queue, id] };

/** Removes the service from the queue, because its turn has come or it no longer waits. */
export const withdrawn = (gate: Gate, id: ServiceId): Gate => ({ ...gate, queue: without(gate.queue, id) });

/** Admits the service: it leaves the queue and takes a place. */
export const entered = ({ queue, inside }: Gate, id: ServiceId): Gate => ({
  queue: without(queue, id),
  inside: [...inside, id],
});

/** Removes the service from the gate, because it is ready, has failed, or must stop. */
export const left = ({ queue, inside }: Gate, id: ServiceId): Gate => ({
  queue: without(queue, id),
  inside: without(inside, id),
});
