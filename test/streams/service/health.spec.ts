import { describe, expect, it } from 'vitest';
import type { ProbeResult } from '../../../src/streams/domain/event.ts';
import type { HealthProgress } from '../../../src/streams/domain/service/service.ts';
import { instant, ms, seconds } from '../../../src/streams/domain/time.ts';
import { UNPROBED } from '../../../src/streams/domain/service/service-state.ts';
import { isExhausted, probedOnce } from '../../../src/streams/service/checks/health.ts';
import { idOf } from '../../support/spec.ts';

const check = {
  probe: { tag: 'http', url: 'http://localhost/' },
  interval: seconds(1),
  startInterval: ms(100),
  attemptTimeout: seconds(5),
  totalTimeout: seconds(0),
  retries: 3,
} as const;
const service = idOf('web');
const passed: ProbeResult = { tag: 'passed' };
const failed: ProbeResult = { tag: 'timed-out' };

/** Returns the health after failed probes at these times. With `startedAt`, the service is not ready yet. */
const failing = (moments: readonly number[], startedAt?: number): HealthProgress =>
  moments.reduce<HealthProgress>(
    (progress, at) =>
      probedOnce(progress, {
        service,
        check,
        result: failed,
        at: instant(at),
        ...(startedAt !== undefined && { startedAt: instant(startedAt) }),
      }),
    UNPROBED,
  );

describe('a failing probe', () => {
  it.each([
    [
      { tag: 'unreachable', detail: 'refused' },
      { code: 'ERR0022', service, detail: 'refused' },
    ],
    [{ tag: 'timed-out' }, { code: 'ERR0023', service, limit: seconds(5) }],
    [
      { tag: 'unhealthy', detail: 'HTTP 500' },
      { code: 'ERR0104', service, detail: 'HTTP 500' },
    ],
    [
      { tag: 'stranger', taken: { port: 80 } },
      { code: 'ERR0105', service, taken: { port: 80 } },
    ],
  ] as const)('a failing probe with %j is reported as %j', (result, error) => {
    expect(probedOnce(UNPROBED, { service, check, result, at: instant(0) }).error).toEqual(error);
  });

  it('a failing probe counts each time once the service was ready', () => {
    expect(failing([10, 20, 30])).toMatchObject({ health: 'unhealthy', failures: 3, failingSince: 10 });
  });

  it.each([
    [[100, 300, 700], 0],
    [[100, 1_000], 1],
    [[999], 0],
    [[1_000, 1_500, 1_999], 1],
    [[1_000, 2_000, 3_000], 3],
    [[1_500, 2_400, 2_500], 2],
  ])('a failing probe at %j of a start counts once per interval: %i', (moments, failures) => {
    expect(failing(moments, 0).failures).toBe(failures);
  });

  it('a failing probe during a start is noted even if it does not count, and its window starts with the start', () => {
    expect(failing([100], 0)).toMatchObject({ health: 'unhealthy', failures: 0, failingSince: 0 });
  });
});

describe('a passing probe', () => {
  it('a passing probe clears all failures and records when they ended', () => {
    expect(probedOnce(failing([10, 20]), { service, check, result: passed, at: instant(30) })).toEqual({
      ...{ health: 'healthy', failures: 0, healthySince: 30 },
    });
  });
});

describe('the window of a health check', () => {
  it.each([
    { retries: 3, window: 0, moments: [0, 10, 20], spent: true },
    { retries: 3, window: 0, moments: [0, 10], spent: false },
    { retries: 3, window: 60, moments: [0, 1_000, 2_000], spent: false },
    { retries: 3, window: 2, moments: [0, 1_000, 2_000], spent: true },
    { retries: 1, window: 2, moments: [0, 1_999], spent: false },
    { retries: 0, window: 0, moments: [0], spent: true },
  ])('a check of $retries attempts and $window s that failed at $moments is spent: $spent', (row) => {
    const limits = { ...check, retries: row.retries, totalTimeout: seconds(row.window) };
    const at = instant(row.moments.at(-1) ?? 0);
    expect(isExhausted(failing(row.moments), limits, at)).toBe(row.spent);
  });

  it('a check that never failed is not spent', () => {
    expect(isExhausted(UNPROBED, { ...check, retries: 0 }, instant(9_999_999))).toBe(false);
  });
});
