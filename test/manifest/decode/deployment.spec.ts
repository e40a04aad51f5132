import { describe, expect, it } from 'vitest';
import { serviceWith, wrongWith } from '../loading.ts';

describe('deployment', () => {
  it('takes strategy, pre_start and grace_period', () => {
    expect(
      serviceWith('deployment: { strategy: rolling, pre_start: make, grace_period: 5s }').deployment,
    ).toEqual({
      strategy: 'rolling',
      preStart: 'make',
      gracePeriod: 5000,
    });
  });

  it.each([
    [
      'deployment: { strategy: fast }',
      'ERR0213 deployment.strategy: "fast" is not one of rolling, immediate',
    ],
    ['deployment: { pre_start: "" }', 'ERR0213 deployment.pre_start: "" is empty'],
    [
      'deployment: { grace_period: x }',
      'ERR0210 deployment.grace_period: "x" is not a whole number with ms, s, m or h',
    ],
    ['deployment: rolling', 'ERR0213 deployment: "rolling" is not a map'],
  ])('refuses %s', (fields, told) => {
    expect(wrongWith(fields)).toEqual([told]);
  });
});
