import { describe, expect, it } from 'vitest';
import {
  entered,
  hasRoom,
  left,
  OPEN_GATE,
  queued,
  withdrawn,
} from '../../../src/streams/gate/start-places.ts';
import { idOf } from '../../support/spec.ts';

const [a, b] = [idOf('a'), idOf('b')];

describe('the start gate', () => {
  it.each([
    [-1, 0, true],
    [-1, 5_000, true],
    [1, 0, true],
    [1, 1, false],
    [3, 2, true],
    [3, 3, false],
  ])('the gate with a cap of %i and %i starting services has a free slot: %s', (max, inFlight, room) => {
    const inside = Array.from({ length: inFlight }, (_, at) => idOf(`s${at}`));
    expect(hasRoom({ queue: [], inside }, max)).toBe(room);
  });

  it('the gate queues each service once, in the order of arrival', () => {
    const gate = queued(queued(queued(OPEN_GATE, b), a), b);
    expect(gate.queue).toEqual([b, a]);
    expect(queued(gate, a)).toBe(gate);
  });

  it('the gate drops a service that withdraws', () => {
    expect(withdrawn(queued(queued(OPEN_GATE, a), b), a).queue).toEqual([b]);
    expect(withdrawn(OPEN_GATE, a)).toEqual(OPEN_GATE);
  });

  it('the gate removes a service that enters from its queue', () => {
    expect(entered(queued(queued(OPEN_GATE, a), b), a)).toEqual({ queue: [b], inside: [a] });
  });

  it('the gate drops a service that leaves, in the queue or starting', () => {
    expect(left(entered(queued(OPEN_GATE, b), a), a)).toEqual({ queue: [b], inside: [] });
    expect(left(entered(queued(OPEN_GATE, b), a), b)).toEqual({ queue: [], inside: [a] });
    expect(left(entered(OPEN_GATE, a), b)).toEqual(entered(OPEN_GATE, a));
  });
});
