import { describe, expect, it } from 'vitest';
import { serviceWith, wrongWith } from '../loading.ts';

describe('spawn', () => {
  it('takes mode and every limit', () => {
    const limits = '{ children: 1, depth: 2, descendants: 3, total_memory: 1G, termination_policy: orphan }';
    expect(serviceWith(`spawn: { mode: dynamic, limits: ${limits} }`).spawn).toEqual({
      mode: 'dynamic',
      children: 1,
      depth: 2,
      descendants: 3,
      totalMemory: 1_073_741_824,
      terminationPolicy: 'orphan',
    });
  });

  it.each([
    ['spawn: { mode: wild }', 'ERR0213 spawn.mode: "wild" is not one of static, dynamic'],
    [
      'spawn: { limits: { children: -1 } }',
      'ERR0213 spawn.limits.children: -1 is not a whole number, 0 or more',
    ],
    ['spawn: { limits: { depth: x } }', 'ERR0213 spawn.limits.depth: "x" is not a whole number, 0 or more'],
    ['spawn: { limits: { descendants: [] } }', 'ERR0213 spawn.limits.descendants: a list is not a number'],
    [
      'spawn: { limits: { termination_policy: kill } }',
      'ERR0213 spawn.limits.termination_policy: "kill" is not one of cascade, orphan, reparent',
    ],
  ])('refuses %s', (fields, told) => {
    expect(wrongWith(fields)).toEqual([told]);
  });
});
