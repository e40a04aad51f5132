import { describe, expect, it } from 'vitest';
import { lastOutage } from '../../../src/streams/rollout/rollout-plan.ts';
import type { Tag, Transition } from '../../../src/streams/domain/service/service.ts';
import { instant } from '../../../src/streams/domain/time.ts';

const history = (...moves: readonly (readonly [number, Tag])[]): readonly Transition[] =>
  moves.map(([at, to]) => ({ at: instant(at), from: 'down', to, cause: 'x' }));

describe('the downtime of a service', () => {
  it('the downtime lasts from the end of a run to the readiness of the next', () => {
    const moves = history([10, 'up'], [100, 'stopping'], [150, 'waiting'], [160, 'starting'], [400, 'up']);
    expect(lastOutage(moves)).toBe(300);
  });

  it('the downtime does not include the wait between automatic attempts', () => {
    const tried = [
      [1_010, 'waiting'],
      [1_020, 'spawning'],
      [1_200, 'up'],
    ] as const;
    expect(lastOutage(history([0, 'stopping'], [10, 'backing-off'], ...tried))).toBe(180);
  });

  it('the downtime falls back to the first start, without the time it waited', () => {
    expect(lastOutage(history([5, 'waiting'], [46, 'spawning'], [50, 'up']))).toBe(4);
  });

  it('the downtime is not that of an earlier run if the last one started beside it', () => {
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

  it('the downtime is unknown if the last run was ready before the previous one ended', () => {
    expect(lastOutage(history([0, 'up'], [100, 'stopping'], [40, 'spawning'], [90, 'up']))).toBeUndefined();
  });

  it('the downtime is unknown for a service that was never ready', () => {
    expect(lastOutage(history([5, 'waiting'], [6, 'spawning']))).toBeUndefined();
    expect(lastOutage([])).toBeUndefined();
  });
});
