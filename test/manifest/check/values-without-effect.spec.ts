import { describe, expect, it } from 'vitest';
import { loadText, manifestOf } from '../loading.ts';

const check = (fields: string): string => `deployment: { health_check: { command: x, ${fields} } }`;

describe('a value without effect', () => {
  it.each([
    ['success_exit_codes: [0]', 'success_exit_codes', '0 is always a success'],
    [`restart_policy: never\n${check('on_failure: restart')}`, 'deployment.health_check.on_failure', 'never'],
    [
      `restart_policy: never\n${check('liveness: { tcp: 80, on_failure: restart }')}`,
      'deployment.health_check.liveness.on_failure',
      'restart_policy is never',
    ],
    ['watch: { paths: [src], ignore: [src, dist] }', 'watch.paths', 'ignore has the same paths'],
    [
      'depends_on: [other, { service: other, required: false }]',
      'depends_on[1].required',
      'another entry requires "other"',
    ],
    [
      'limits: { cgroup: { memory_max: 1G, memory_high: 2G } }',
      'limits.cgroup.memory_high',
      'limits.cgroup.memory_max is less',
    ],
    ['max_memory: 2G\nlimits: { cgroup: { memory_max: 1G } }', 'max_memory', 'memory_max is less'],
  ])('a value without effect is reported: %s', (fields, key, why) => {
    const of = (version: string) =>
      loadText(`${manifestOf(fields, version)}  other: { command: x }\n`, { sys: true }).problems;
    const [two, three] = [of('2'), of('3')];
    expect(two).toMatchObject([{ code: 'ERR0223', severity: 'warning', path: `services.web.${key}` }]);
    expect(two[0]?.message).toContain(why);
    expect(three).toMatchObject([{ code: 'ERR0223', severity: 'error' }]);
  });

  it.each([
    'success_exit_codes: [0, 143]',
    `restart_policy: never\n${check('on_failure: stop')}`,
    `restart_policy: on-failure\n${check('on_failure: restart')}`,
    'watch: { paths: [src, lib], ignore: [src] }',
    'depends_on: [{ service: other, required: false }]',
    'max_memory: 1G\nlimits: { cgroup: { memory_max: 2G, memory_high: 1G } }',
    'max_memory: 1G\nlimits: { cgroup: { memory_max: max } }',
  ])('a value with an effect is not reported: %s', (fields) => {
    const { problems } = loadText(`${manifestOf(fields, '3')}  other: { command: x }\n`, { sys: true });
    expect(problems).toEqual([]);
  });

  it('exit statuses that are all wrong are not said to be without effect', () => {
    const { problems } = loadText(manifestOf('success_exit_codes: [300]'));
    expect(problems.map(({ code }) => code)).toEqual(['ERR0213']);
  });
});
