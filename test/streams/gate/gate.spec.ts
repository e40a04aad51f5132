import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  entered,
  hasRoom,
  left,
  OPEN_GATE,
  queued,
  withdrawn,
  type Gate,
} from '../../../src/streams/gate/gate.ts';
import { idOf } from '../../support/spec.ts';

const [a, b] = [idOf('a'), idOf('b')];

describe('the gate', () => {
  it.each([
    [-1, 0, true],
    [-1, 5_000, true],
    [1, 0, true],
    [1, 1, false],
    [3, 2, true],
    [3, 3, false],
  ])('with a cap of %i and %i under way has room: %s', (max, inFlight, room) => {
    expect(hasRoom({ queue: [], inFlight }, max)).toBe(room);
  });

  it('queues each service once, in the order of their coming', () => {
    const gate = queued(queued(queued(OPEN_GATE, b), a), b);
    expect(gate.queue).toEqual([b, a]);
    expect(queued(gate, a)).toBe(gate);
  });

  it('forgets who withdraws', () => {
    expect(withdrawn(queued(queued(OPEN_GATE, a), b), a).queue).toEqual([b]);
    expect(withdrawn(OPEN_GATE, a)).toBe(OPEN_GATE);
  });

  it('takes who enters out of the queue', () => {
    expect(entered(queued(queued(OPEN_GATE, a), b), a)).toEqual({ queue: [b], inFlight: 1 });
  });

  it('never counts below nothing', () => {
    const moves = fc.array(fc.constantFrom<(gate: Gate) => Gate>((gate) => entered(gate, a), left));
    fc.assert(
      fc.property(moves, (taken) => {
        expect(taken.reduce((gate, move) => move(gate), OPEN_GATE).inFlight).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});
