import { describe, expect, it } from 'vitest';
import { serviceWith, wrongWith } from '../loading.ts';

describe('backoff', () => {
  it('is constant when it is a duration', () => {
    expect(serviceWith('backoff: 2s').backoff).toEqual({ initial: 2000, max: 2000, factor: 1, jitter: 0 });
  });

  it('grows when it is an object, from the defaults of an unset one', () => {
    expect(serviceWith('backoff: {}').backoff).toEqual(serviceWith('').backoff);
    expect(serviceWith('backoff: { initial: 100ms, max: 1m, factor: 1.5, jitter: 0.1 }').backoff).toEqual({
      initial: 100,
      max: 60_000,
      factor: 1.5,
      jitter: 0.1,
    });
  });

  it.each([
    ['backoff: { factor: 0.5 }', 'ERR0213 backoff.factor: 0.5 is not a number from 1 to 100'],
    ['backoff: { jitter: 2 }', 'ERR0213 backoff.jitter: 2 is not a number from 0 to 1'],
    ['backoff: { initial: x }', 'ERR0210 backoff.initial: "x" is not a whole number with ms, s, m or h'],
    ['backoff: { max: -1 }', 'ERR0210 backoff.max: -1 is less than zero'],
  ])('refuses %s', (fields, told) => {
    expect(wrongWith(fields)).toEqual([told]);
  });
});
