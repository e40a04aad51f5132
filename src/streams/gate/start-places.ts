// Limits how many services start at the same time (`start/max_concurrent`). The state has two lists of
// services instead of a counter, which could become wrong.
// Rules: `docs/behaviour.md`, "Starting", "The gate".
import type { ServiceId } from '../domain/ids.ts';

export interface Gate {
  /** Services with ready dependencies that wait for a place, in order. */
  readonly queue: readonly ServiceId[];
  /** Started services that are not ready; each takes a place. Empty if there is no limit. */
  readonly inside: readonly ServiceId[];
}

export const OPEN_GATE: Gate = { queue: [], inside: [] };

/** True if `max` is a limit; -1 means that there is no limit. */
export const isCapped = (max: number): boolean => max >= 0;

/** True if fewer than `max` services are being started. */
export const hasRoom = ({ inside }: Gate, max: number): boolean => !isCapped(max) || inside.length < max;

const without = (ids: readonly ServiceId[], id: ServiceId): readonly ServiceId[] =>
  ids.includes(id) ? ids.filter((other) => other !== id) : ids;

/** Returns the gate with the service at the end of its queue, if not queued already. */
export const queued = (gate: Gate, id: ServiceId): Gate =>
  gate.queue.includes(id) ? gate : { ...gate, queue: [...gate.queue, id] };

/** Returns the gate without the service in its queue. */
export const withdrawn = (gate: Gate, id: ServiceId): Gate => ({ ...gate, queue: without(gate.queue, id) });

/** Returns the gate after the service left the queue and took a place. */
export const entered = ({ queue, inside }: Gate, id: ServiceId): Gate => ({
  queue: without(queue, id),
  inside: [...inside, id],
});

/** Returns the gate without the service, which is ready, failed or must stop. */
export const left = ({ queue, inside }: Gate, id: ServiceId): Gate => ({
  queue: without(queue, id),
  inside: without(inside, id),
});
