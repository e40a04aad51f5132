import { describe, expect, it } from 'vitest';
import type { Machine } from '../../../src/manifest/read/reader.ts';
import { loadText, manifestOf, wrongWith } from '../loading.ts';

const machine: Machine = {
  knows: (database, wanted) => {
    if (wanted === 'far') return undefined;
    return (database === 'passwd' ? ['web', '33'] : ['adm']).includes(wanted);
  },
  capabilities: [0],
  cpus: [0, 1],
  highest: (resource) => (resource === 'nofile' ? 1_000 : 'unlimited'),
  lowestNice: 0,
  lowestOomScore: 0,
};
const root = { uid: process.getuid?.() ?? 0, sys: true, machine };
const sys = (fields: string): readonly string[] =>
  wrongWith(fields, root).filter((line) => line.startsWith('ERR0741'));

describe('keys that this machine cannot apply', () => {
  it.each([
    ['user: nobody-here', 'user: this machine has no user "nobody-here"'],
    ['user: "77"', 'user: user 77 has no account, and so no group: name one with group'],
    ['group: wheel', 'group: this machine has no group "wheel"'],
    ['supplementary_groups: [adm, wheel]', 'supplementary_groups: this machine has no group "wheel"'],
    ['capabilities: [CHOWN, BPF]', 'capabilities: CAP_BPF cannot be given here; there is CAP_CHOWN'],
    ['limits: { nofile: 1001 }', 'limits.nofile: 1001 is above 1000, the most that can be set here'],
    [
      'limits: { nofile: unlimited }',
      'limits.nofile: unlimited is above 1000, the most that can be set here',
    ],
    ['limits: { nice: -1 }', 'limits.nice: -1 is below 0, the lowest that can be set here'],
    ['limits: { oom_score_adj: -1 }', 'limits.oom_score_adj: -1 is below 0, the lowest that can be set here'],
    ['limits: { cpu_affinity: [1, 2] }', 'limits.cpu_affinity: this machine has no CPU 2; it has 0, 1'],
  ])('an unavailable key is a warning: %s', (fields, told) => {
    expect(sys(fields)).toEqual([`ERR0741 ${told}: the service will not be started`]);
  });

  it.each([
    'user: web',
    'user: "33"',
    'user: "77"\ngroup: "78"',
    'user: far\ngroup: far',
    'group: adm',
    'capabilities: [CHOWN]',
    'capabilities: [BPF]\nisolation: { user: true }',
    'limits: { nofile: 1000, nproc: unlimited, nice: 5, cpu_affinity: [0, 1] }',
  ])('an available or possibly available key is no warning: %s', (fields) => {
    expect(sys(fields)).toEqual([]);
  });

  it('an unavailable key without a privileged supervisor is ignored under version 2 and refused under version 3', () => {
    const told = (version: string): readonly string[] =>
      loadText(manifestOf('limits: { nofile: 2000 }', version), { sys: false, machine }).problems.map(
        ({ message, line }) => `${line}: ${message}`,
      );
    const why = '5: 2000 is above 1000, the most that can be set here';
    expect(told('"2"')).toEqual([`${why}: the service runs without it`]);
    expect(told('"3"')).toEqual([`${why}: the service will not be started`]);
  });

  it('a load without machine facts reports no unavailable keys', () => {
    expect(wrongWith('limits: { nofile: 2000, cpu_affinity: [77] }')).toEqual([]);
  });
});
