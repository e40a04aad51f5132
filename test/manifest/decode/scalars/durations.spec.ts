import { describe, expect, it } from 'vitest';
import { parseDuration } from '../../../../src/manifest/decode/scalars/durations.ts';
import { serviceWith, wrongWith } from '../../loading.ts';

describe('a duration', () => {
  it.each([
    ['0', 0],
    ['15', 15_000],
    ['15s', 15_000],
    ['250ms', 250],
    ['2m', 120_000],
    ['1h', 3_600_000],
    ['007s', 7000],
  ])('the duration %s is %i milliseconds', (text, length) => {
    expect(parseDuration(text)).toBe(length);
  });

  it.each(['', ' 1s', '1 s', '1.5s', '-1s', '+1s', '1d', '1S', 's', '1s2m', '1e3', '0x10'])(
    '"%s" is not a duration',
    (text) => {
      expect(parseDuration(text)).toBeUndefined();
    },
  );

  it('a duration may be a bare number', () => {
    expect(serviceWith('stop_timeout: 15').stopTimeout).toBe(15_000);
  });

  it('a duration is refused with the value, the rule and the path of the field', () => {
    expect(wrongWith('backoff: 1.5s')).toEqual([
      'ERR0210 backoff: "1.5s" is not a whole number with ms, s, m or h',
    ]);
    expect(wrongWith('backoff: 1.5')).toEqual([
      'ERR0210 backoff: 1.5 is not a whole number with ms, s, m or h',
    ]);
  });

  it.each(['1000000000001', '99999999999999999999s', '277777777778h'])(
    'a duration above the maximum says so: %s',
    (text) => {
      expect(wrongWith(`backoff: "${text}"`)).toEqual([
        `ERR0210 backoff: "${text}" is longer than 1000000000000s, the longest duration`,
      ]);
      expect(serviceWith('backoff: 1000000000000s').backoff.initial).toBe(1e15);
    },
  );

  it('a duration may be zero for backoff and grace_period', () => {
    const { backoff, deployment } = serviceWith('backoff: 0\ndeployment: { grace_period: 0s }');
    expect([backoff.initial, deployment.gracePeriod]).toEqual([0, 0]);
  });

  it.each([
    ['stop_timeout: 0', 'stop_timeout'],
    ['cron: { expression: "* * * * *", timeout: 0s }', 'cron.timeout'],
    ['hooks: { onerr: { command: x, timeout: 0 } }', 'hooks.onerr.timeout'],
    ['deployment: { health_check: { command: x, interval: 0 } }', 'deployment.health_check.interval'],
    ['deployment: { health_check: { command: x, timeout: 0ms } }', 'deployment.health_check.timeout'],
  ])('a duration is greater than zero in %s', (fields, path) => {
    expect(wrongWith(fields)[0]).toMatch(new RegExp(`^ERR0210 ${path}: .* is not greater than zero$`));
  });

  it('a duration may come from a variable', () => {
    expect(serviceWith('stop_timeout: ${T}', { environment: { T: '3s' } }).stopTimeout).toBe(3000);
  });
});
