// Limits how many services start at the same time (`start/max_concurrent`). A starting service takes a place;
// the number of places is the limit. The state has two lists of services instead of a counter, because a
// counter could become wrong.
// Rules: `docs/behaviour.md`, "Starting", "The gate".
import type { ServiceId } from '../domain/ids.ts';

export interface Gate {
  /** Services that wait for a place, in order. Their dependencies are ready. */
  readonly queue: readonly ServiceId[];
  /** Started services that are not ready; each takes a place. Empty if there is no limit. */
  readonly inside: readonly ServiceId[];
}

export const OPEN_GATE: Gate = { queue: [], inside: [] };

/** True if `max` is a limit; -1 means that there is no limit. */
export const isCapped = (max: number): boolean => max >= 0;

/** True if a place is free: fewer than `max` services are being started, or there is no limit. */
export const hasRoom = ({ inside }: Gate, max: number): boolean => !isCapped(max) || inside.length < max;

const without = (ids: readonly ServiceId[], id: ServiceId): readonly ServiceId[] =>
  ids.includes(id) ? ids.filter((other) => other !== id) : ids;

/** Returns the gate after the service joined the end of the queue. A queued service keeps its position. */
export const queued = (gate: Gate, id: ServiceId): Gate =>
  gate.queue.includes(id) ? gate : { ...gate, queue: [...gate.queue, id] };

/** Returns the gate after the service left the queue without a place. */
export const withdrawn = (gate: Gate, id: ServiceId): Gate => ({ ...gate, queue: without(gate.queue, id) });

/** Returns the gate after the service left the queue and took a place. */
export const entered = ({ queue, inside }: Gate, id: ServiceId): Gate => ({
  queue: without(queue, id),
  inside: [...inside, id],
});

/** Returns the gate after the service left the queue and gave up its place. */
export const left = ({ queue, inside }: Gate, id: ServiceId): Gate => ({
  queue: without(queue, id),
  inside: without(inside, id),
});
