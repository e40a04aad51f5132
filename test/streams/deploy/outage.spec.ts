import { describe, expect, it } from 'vitest';
import { lastOutage } from '../../../src/streams/deploy/outage.ts';
import type { Tag, Transition } from '../../../src/streams/domain/service/service.ts';
import { instant } from '../../../src/streams/domain/time.ts';

const history = (...moves: readonly (readonly [number, Tag])[]): readonly Transition[] =>
  moves.map(([at, to]) => ({ at: instant(at), from: 'down', to, cause: 'x' }));

describe('how long a service was away', () => {
  it('lasts from the end of a run to the readiness of the next', () => {
    const moves = history([10, 'up'], [100, 'stopping'], [150, 'waiting'], [160, 'starting'], [400, 'up']);
    expect(lastOutage(moves)).toBe(300);
  });

  it('does not count the wait between automatic attempts', () => {
    const moves = history([0, 'stopping'], [10, 'backing-off'], [1_010, 'waiting'], [1_200, 'up']);
    expect(lastOutage(moves)).toBe(190);
  });

  it('is told by the first start where there is nothing else', () => {
    expect(lastOutage(history([5, 'waiting'], [6, 'spawning'], [50, 'up']))).toBe(45);
  });

  it('is not known of what was never ready', () => {
    expect(lastOutage(history([5, 'waiting'], [6, 'spawning']))).toBeUndefined();
    expect(lastOutage([])).toBeUndefined();
  });
});
