// The concurrency gate limits how many services start at the same time (`start/max_concurrent`). It is two
// lists in the state. A service that is stopped while it is queued is simply removed from its list. The
// number of starts in progress is the length of a list, so no counter can be wrong.
// Rules: `docs/behaviour.md`, "Starting", "The gate".
import type { ServiceId } from '../domain/ids.ts';

export interface Gate {
  /** Services with ready dependencies that wait for a free place, in the order of admission. */
  readonly queue: readonly ServiceId[];
  /**
   * Services that were started and are not ready yet: each occupies a place. Empty if there is no limit,
   * because then they are not counted.
   */
  readonly inside: readonly ServiceId[];
}

/** A gate with no service in its queue or its places. */
export const OPEN_GATE: Gate = { queue: [], inside: [] };

/** True if `max` limits the number of simultaneous starts; -1 means no limit. */
export const isCapped = (max: number): boolean => max >= 0;

/** True if fewer than `max` services are being started, so that one more may start. */
export const hasRoom = ({ inside }: Gate, max: number): boolean => !isCapped(max) || inside.length < max;

const without = (ids: readonly ServiceId[], id: ServiceId): readonly ServiceId[] =>
  ids.includes(id) ? ids.filter((other) => other !== id) : ids;

/** Returns the gate with the service at the end of its queue; unchanged if it is queued already. */
export const queued = (gate: Gate, id: ServiceId): Gate =>
  gate.queue.includes(id) ? gate : { ...gate, queue: [...gate.queue, id] };

/** Returns the gate without the service in its queue: it starts, or no longer waits. */
export const withdrawn = (gate: Gate, id: ServiceId): Gate => ({ ...gate, queue: without(gate.queue, id) });

/** Returns the gate after it admitted the service: the service leaves the queue and occupies a place. */
export const entered = ({ queue, inside }: Gate, id: ServiceId): Gate => ({
  queue: without(queue, id),
  inside: [...inside, id],
});

/**
 * Returns the gate without the service in its queue or its places, because it is ready, has failed, or must
 * stop.
 */
export const left = ({ queue, inside }: Gate, id: ServiceId): Gate => ({
  queue: without(queue, id),
  inside: without(inside, id),
});
