import { describe, expect, it } from 'vitest';
import { serviceWith, wrongWith } from '../../loading.ts';

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

  it.each([
    ['pre_start: "x {slot}"', 'pre_start'],
    ['health_check: { command: "x {candidate_slot}" }', 'health_check.command'],
    ['health_check: { url: "http://a:{slot}/" }', 'health_check.url'],
    ['health_check: { url: "http://a/{active_slot}" }', 'health_check.url'],
  ])('refuses the placeholders of blue/green where there is none: %s', (fields, path) => {
    expect(wrongWith(`deployment: { ${fields} }`)).toEqual([
      expect.stringMatching(
        new RegExp(
          `^ERR0213 deployment\\.${path}: "\\{\\w+\\}" is filled in for blue_green only, and there is none here$`,
        ),
      ),
    ]);
    const rollout = 'blue_green: { slots: [1, 2], switch_command: x }';
    expect(wrongWith(`deployment: { ${fields}, ${rollout} }`)).toEqual([]);
  });
});
