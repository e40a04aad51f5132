// `start/max_concurrent`: a list in the state, so that a service stopped while it queues is simply not in it any more.
import type { ServiceId } from '../domain/ids.ts';

export interface Gate {
  /** Ready to be let in, in the order of their turn. */
  readonly queue: readonly ServiceId[];
  /** How many of those let in are still on their way to readiness. */
  readonly inFlight: number;
}

export const OPEN_GATE: Gate = { queue: [], inFlight: 0 };

/** `max` -1: no cap. */
export const hasRoom = (gate: Gate, max: number): boolean => max < 0 || gate.inFlight < max;

export const queued = (gate: Gate, id: ServiceId): Gate =>
  gate.queue.includes(id) ? gate : { ...gate, queue: [...gate.queue, id] };

export const withdrawn = (gate: Gate, id: ServiceId): Gate =>
  gate.queue.includes(id) ? { ...gate, queue: gate.queue.filter((other) => other !== id) } : gate;

export const entered = (gate: Gate, id: ServiceId): Gate => {
  const { queue, inFlight } = withdrawn(gate, id);
  return { queue, inFlight: inFlight + 1 };
};

export const left = (gate: Gate): Gate => ({ ...gate, inFlight: Math.max(0, gate.inFlight - 1) });
