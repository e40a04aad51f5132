import { describe, expect, it } from 'vitest';
import { lastOutage } from '../../../src/streams/rollout/plan.ts';
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
    const tried = [
      [1_010, 'waiting'],
      [1_020, 'spawning'],
      [1_200, 'up'],
    ] as const;
    expect(lastOutage(history([0, 'stopping'], [10, 'backing-off'], ...tried))).toBe(180);
  });

  it('is told by the first start where there is nothing else, without what that had to wait for', () => {
    expect(lastOutage(history([5, 'waiting'], [46, 'spawning'], [50, 'up']))).toBe(4);
  });

  it('is not that of an earlier run where the last one was begun beside it', () => {
    const earlier = [
      [0, 'stopping'],
      [10, 'spawning'],
      [20, 'up'],
    ] as const;
    const beside = [
      [90_000, 'waiting'],
      [90_010, 'spawning'],
      [90_030, 'up'],
    ] as const;
    expect(lastOutage(history(...earlier, ...beside))).toBe(20);
  });

  it('is not known where the last run was ready before the one before it ended', () => {
    expect(lastOutage(history([0, 'up'], [100, 'stopping'], [40, 'spawning'], [90, 'up']))).toBeUndefined();
  });

  it('is not known of what was never ready', () => {
    expect(lastOutage(history([5, 'waiting'], [6, 'spawning']))).toBeUndefined();
    expect(lastOutage([])).toBeUndefined();
  });
});
