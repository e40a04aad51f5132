// `start/max_concurrent`: two lists in the state. A service stopped while it queues is simply not in it any more, and how
// many are under way is the length of a list, not a count that somebody has to keep.
import type { ServiceId } from '../domain/ids.ts';

export interface Gate {
  /** Ready to be let in, in the order of their turn. */
  readonly queue: readonly ServiceId[];
  /** Let in and still on their way to readiness. Empty without a cap: nobody counts then. */
  readonly inside: readonly ServiceId[];
}

/** Nobody waits, nobody is inside. */
export const OPEN_GATE: Gate = { queue: [], inside: [] };

/** `max` -1: no cap. */
export const isCapped = (max: number): boolean => max >= 0;

/** May one more be let in? */
export const hasRoom = ({ inside }: Gate, max: number): boolean => !isCapped(max) || inside.length < max;

const without = (ids: readonly ServiceId[], id: ServiceId): readonly ServiceId[] =>
  ids.includes(id) ? ids.filter((other) => other !== id) : ids;

/** It waits for its turn, at the end of the queue unless it is there already. */
export const queued = (gate: Gate, id: ServiceId): Gate =>
  gate.queue.includes(id) ? gate : { ...gate, queue: [...gate.queue, id] };

/** Its turn has come, or it does not wait for one any more. */
export const withdrawn = (gate: Gate, id: ServiceId): Gate => ({ ...gate, queue: without(gate.queue, id) });

/** It is let in. */
export const entered = ({ queue, inside }: Gate, id: ServiceId): Gate => ({
  queue: without(queue, id),
  inside: [...inside, id],
});

/** It has arrived, or failed, or was withdrawn: its place is free, and so is its turn. */
export const left = ({ queue, inside }: Gate, id: ServiceId): Gate => ({
  queue: without(queue, id),
  inside: without(inside, id),
});
