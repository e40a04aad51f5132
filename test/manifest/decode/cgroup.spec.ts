import { describe, expect, it } from 'vitest';
import { serviceWith, wrongWith } from '../loading.ts';

const cgroupWith = (fields: string) =>
  serviceWith(`limits: { cgroup: { ${fields} } }`).privilege.limits?.cgroup;
const errors = (fields: string): readonly string[] =>
  wrongWith(`limits: { cgroup: { ${fields} } }`).filter((line) => !line.startsWith('ERR0705'));

describe('limits.cgroup', () => {
  it.each([
    ['root: /sys/fs/cgroup/mine', { root: '/sys/fs/cgroup/mine' }],
    ['memory_max: 512M', { memoryMax: 536_870_912 }],
    ['memory_max: 1024', { memoryMax: 1024 }],
    ['memory_max: max', { memoryMax: 'max' }],
    ['cpu_max: max', { cpuMax: 'max' }],
    ['cpu_max: 50000 100000', { cpuMax: '50000 100000' }],
    ['cpu_weight: 10000', { cpuWeight: 10_000 }],
  ])('takes %s', (fields, expected) => {
    expect(cgroupWith(fields)).toEqual({ root: '/sys/fs/cgroup/sup', ...expected });
  });

  it.each([
    ['root: here', 'ERR0213 limits.cgroup.root: "here" is not an absolute path'],
    ['cpu_max: half', 'ERR0213 limits.cgroup.cpu_max: "half" is not a pair of quota and period, or `max`'],
    ['cpu_weight: 0', 'ERR0213 limits.cgroup.cpu_weight: 0 is not a whole number from 1 to 10000'],
    ['cpu_weight: 10001', 'ERR0213 limits.cgroup.cpu_weight: 10001 is not a whole number from 1 to 10000'],
  ])('refuses %s', (fields, told) => {
    expect(errors(fields)).toEqual([told]);
  });
});
