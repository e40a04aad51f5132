import { describe, expect, it } from 'vitest';
import { loadText, manifestOf } from '../loading.ts';

const CRON = 'cron: { expression: "* * * * *" }';
const SLOTS = 'blue_green: { slots: [1, 2], switch_command: run }';

const told = (deployment: string, version: string, cron = CRON): readonly string[] =>
  loadText(manifestOf(`${cron}\ndeployment: { ${deployment} }`, version))
    .problems.filter(({ message, line }) => message.includes('with cron') && line === 6)
    .map(({ code, severity, path }) => `${severity} ${code} ${path.split('.').at(-1) ?? ''}`);

describe('a deployment of a service with cron', () => {
  it.each([
    ['strategy: rolling', ['strategy']],
    ['strategy: rolling, grace_period: 5s', ['strategy', 'grace_period']],
    [SLOTS, ['blue_green']],
    [`grace_period: 5s, ${SLOTS}`, ['grace_period', 'blue_green']],
    ['strategy: immediate, grace_period: 0', []],
    ['pre_start: run', []],
  ])(
    'a deployment with cron warns of keys without effect, and version 3 refuses them: %s',
    (deployment, keys) => {
      expect(told(deployment, '2')).toEqual(keys.map((key) => `warning ERR0223 ${key}`));
      expect(told(deployment, '3')).toEqual(keys.map((key) => `error ERR0223 ${key}`));
    },
  );

  it('a deployment without cron is unchanged', () => {
    expect(told('strategy: rolling', '3', 'skip: false')).toEqual([]);
  });
});
