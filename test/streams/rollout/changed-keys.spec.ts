import { describe, expect, it } from 'vitest';
import { differenceOf } from '../../../src/streams/rollout/changed-keys.ts';
import type { HealthCheck } from '../../../src/streams/domain/declared/health-check.ts';
import type { ServiceSpec } from '../../../src/streams/domain/declared/spec.ts';
import { ms, seconds } from '../../../src/streams/domain/time.ts';
import { needs, specOf } from '../../support/spec.ts';

describe('the difference of two declarations', () => {
  it('a difference names changed keys as a manifest does, with both values', () => {
    const after = specOf('web', {
      workingDir: '/srv',
      launch: { tag: 'shell', command: 'serve' },
      env: { vars: { workingMode: 'fast' }, inherit: false, clearSession: true, strip: [] },
      dependsOn: needs('db'),
      deployment: { strategy: 'rolling', gracePeriod: ms(500) },
    });
    expect(differenceOf(specOf('web'), after)).toEqual([
      { key: 'exec', from: '["/bin/sleep","60"]' },
      { key: 'working_dir', from: '/shop', to: '/srv' },
      { key: 'deployment.strategy', from: 'immediate', to: 'rolling' },
      { key: 'deployment.grace_period', from: '0s', to: '500ms' },
      { key: 'command', to: 'serve' },
      { key: 'depends_on', to: '[{"service":"shop/db","condition":"started"}]' },
      { key: 'env.vars.workingMode', to: 'fast' },
    ]);
  });

  it('a difference tells a flag from a word, and names what a manifest sets for all its services', () => {
    const [flag, word] = [
      specOf('web', { skip: true }),
      specOf('web', { skip: 'true', schema: 3, directory: '/b' }),
    ];
    expect(differenceOf(flag, word)).toEqual([
      { key: 'version', from: '2', to: '3' },
      { key: 'directory', from: '/shop', to: '/b' },
      { key: 'skip', from: 'true', to: '"true"' },
    ]);
  });

  const check = {
    ...{ interval: seconds(2), startInterval: ms(100), startIntervalMax: ms(500) },
    ...{ attemptTimeout: seconds(30), totalTimeout: ms(0), retries: 3 },
    probe: { tag: 'command', command: 'check' },
  } as const;
  const withVerify = (verify?: HealthCheck): ServiceSpec => {
    const slots = { envVar: 'PORT', slots: ['1', '2'], switchCommand: 'switch' } as const;
    const blueGreen = { ...slots, ...(verify && { switchVerify: verify }) };
    return specOf('web', { deployment: { strategy: 'immediate', gracePeriod: ms(0), blueGreen } });
  };
  const VERIFY = 'deployment.blue_green.switch_verify';

  it('a difference names of a new or removed check only what is not a default', () => {
    const { startIntervalMax: _, ...paced } = check;
    const [none, plain, tuned] = [
      withVerify(),
      withVerify(check),
      withVerify({ ...paced, interval: seconds(5), afterReady: 'off' }),
    ];
    expect(differenceOf(none, plain)).toEqual([{ key: `${VERIFY}.command`, to: 'check' }]);
    expect(differenceOf(plain, none)).toEqual([{ key: `${VERIFY}.command`, from: 'check' }]);
    expect(differenceOf(none, tuned)).toEqual([
      { key: `${VERIFY}.interval`, to: '5s' },
      { key: `${VERIFY}.after_ready`, to: 'off' },
      { key: `${VERIFY}.command`, to: 'check' },
    ]);
  });

  it('a difference says how the pace of a starting service changes', () => {
    const { startIntervalMax: _, ...paced } = check;
    expect(differenceOf(withVerify(check), withVerify(paced))).toEqual([
      { key: `${VERIFY}.start_interval`, from: '100ms, at most 500ms', to: '100ms' },
    ]);
  });

  it('a difference has only names that a manifest has', () => {
    const check = {
      ...{ interval: ms(1), startInterval: ms(1), attemptTimeout: ms(1), totalTimeout: ms(0), retries: 1 },
      probe: { tag: 'command', command: 'check' },
    } as const;
    const probe = { tag: 'http', url: 'http://localhost/' } as const;
    const slots = { envVar: 'PORT', slots: ['1', '2'], switchCommand: 'switch' } as const;
    const before = specOf('web', {
      reload: { tag: 'signal', signal: 'SIGHUP' },
      deployment: {
        ...{ strategy: 'immediate', gracePeriod: ms(0), healthCheck: check },
        blueGreen: { ...slots, candidateHealthCheck: check, switchVerify: check },
      },
    });
    const after = specOf('web', {
      reload: { tag: 'command', command: 'reread' },
      env: { vars: {}, inherit: !before.env.inherit, clearSession: !before.env.clearSession, strip: [] },
      deployment: {
        ...{ strategy: 'immediate', gracePeriod: ms(0), healthCheck: { ...check, probe } },
        blueGreen: {
          ...slots,
          candidateHealthCheck: { ...check, probe },
          switchVerify: { ...check, retries: 2 },
        },
      },
      spawn: { ...before.spawn, children: 7, totalMemory: 5, terminationPolicy: 'orphan' },
      privilege: { ...before.privilege, user: 'www', limits: { nofile: 3 } },
    });
    expect(differenceOf(before, after).map(({ key }) => key)).toEqual([
      'env.inherit_env',
      'env.clear_session_vars',
      'reload.signal',
      'deployment.health_check.command',
      'deployment.blue_green.candidate_health_check.command',
      'deployment.blue_green.switch_verify.retries',
      'spawn.limits.children',
      'spawn.limits.termination_policy',
      'reload',
      'deployment.health_check.url',
      'deployment.blue_green.candidate_health_check.url',
      'spawn.limits.total_memory',
      'user',
      'limits.nofile',
    ]);
  });

  it('a difference is empty for equal declarations, whatever their digests', () => {
    expect(differenceOf(specOf('web'), specOf('web', { digest: 'other' }))).toEqual([]);
  });
});
