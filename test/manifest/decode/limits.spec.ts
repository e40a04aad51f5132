import { describe, expect, it } from 'vitest';
import { serviceWith, wrongWith } from '../loading.ts';

const limitsWith = (fields: string) => serviceWith(`limits: { ${fields} }`, { sys: false }).privilege.limits;
const errors = (fields: string): readonly string[] =>
  wrongWith(fields).filter((line) => !line.startsWith('ERR0705'));

describe('limits', () => {
  it.each([
    ['nofile: 1024', { nofile: 1024 }],
    ['nofile: unlimited', { nofile: 'unlimited' }],
    ['nproc: 0', { nproc: 0 }],
    ['memlock: 64M', { memlock: 67_108_864 }],
    ['memlock: unlimited', { memlock: 'unlimited' }],
    ['core: 0', { core: 0 }],
    ['core: unlimited', { core: 'unlimited' }],
    ['nice: -20', { nice: -20 }],
    ['cpu_affinity: [0, 3]', { cpuAffinity: [0, 3] }],
    ['cgroup: {}', { cgroup: { root: '/sys/fs/cgroup/sup' } }],
  ])('takes %s', (fields, expected) => {
    expect(limitsWith(fields)).toEqual(expected);
  });

  it.each([
    [
      'limits: { nofile: many }',
      'ERR0213 limits.nofile: "many" is neither a whole number, 0 or more, nor unlimited',
    ],
    [
      'limits: { nofile: 9007199254740992 }',
      'ERR0213 limits.nofile: 9007199254740992 is larger than 9007199254740991, the largest number',
    ],
    ['limits: { nproc: -1 }', 'ERR0213 limits.nproc: -1 is neither a whole number, 0 or more, nor unlimited'],
    [
      'limits: { memlock: much }',
      'ERR0210 limits.memlock: "much" is not a whole number, or a number with K, M, G or T, or unlimited',
    ],
    ['limits: { nice: 20 }', 'ERR0213 limits.nice: 20 is not a whole number from -20 to 19'],
    [
      'limits: { cpu_affinity: [a] }',
      'ERR0213 limits.cpu_affinity[0]: "a" is not a whole number from 0 to 8191',
    ],
    ['limits: { cpu_affinity: [] }', 'ERR0213 limits.cpu_affinity: 0 entries; it takes at least one entry'],
  ])('refuse %s', (fields, told) => {
    expect(errors(fields)).toEqual([told]);
  });
});
