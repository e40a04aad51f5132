import { describe, expect, it } from 'vitest';
import type { EnvSpec, ServiceSpec } from '../../../src/streams/domain/declared/spec.ts';
import { projectId, runId, serviceId } from '../../../src/streams/domain/ids.ts';
import { ms } from '../../../src/streams/domain/time.ts';
import {
  isSessionVariable,
  serviceEnvironment,
  unmarkedEnvironment,
} from '../../../src/streams/env/service-environment.ts';
import { unitMark } from '../../../src/streams/env/run-tag.ts';

const OWN = { PATH: '/bin', DISPLAY: ':0', SSH_TTY: 'x', SECRET: 's', A: 'own' };
const shop = projectId('shop');

const specWith = (env: Partial<EnvSpec>): ServiceSpec => ({
  id: serviceId(shop, 'web'),
  project: shop,
  name: 'web',
  kind: 'service',
  schema: 2,
  manifest: '/m/sup.yaml',
  directory: '/m',
  launch: { tag: 'shell', command: 'x' },
  workingDir: '/m',
  dependsOn: [],
  env: { vars: {}, inherit: false, clearSession: true, strip: [], ...env },
  restartPolicy: 'never',
  backoff: { initial: ms(0), max: ms(0), factor: 1, jitter: 0 },
  maxRestarts: 8,
  stopSignal: 'SIGTERM',
  stopTimeout: ms(1),
  hooks: {},
  deployment: { strategy: 'immediate', gracePeriod: ms(0) },
  logs: { sink: 'file' },
  skip: false,
  spawn: { mode: 'static', children: 1, depth: 1, descendants: 1, terminationPolicy: 'cascade' },
  privilege: { supplementaryGroups: [], capabilities: [] },
  digest: '',
});

const environmentWith = (env: Partial<EnvSpec>) =>
  serviceEnvironment(specWith(env), OWN, { run: runId(3), dataDir: '/data' });

const MARKS = { SUP_PROJECT: 'shop', SUP_SERVICE: 'web', SUP_UNIT: 'shop/web#3', SUP_SUPERVISOR: '/data' };

describe('the environment of a service', () => {
  it("a service inherits the supervisor's environment without session variables, and gets the run tag", () => {
    expect(environmentWith({})).toEqual({ PATH: '/bin', SECRET: 's', A: 'own', ...MARKS });
  });

  it('a service keeps session variables if clear_session_vars is off', () => {
    expect(environmentWith({ clearSession: false })).toEqual({ ...OWN, ...MARKS });
  });

  it('a service loses the variables that strip names', () => {
    expect(environmentWith({ strip: ['SECRET', 'PATH'] })).toEqual({ A: 'own', ...MARKS });
  });

  it('a service never loses variables that vars or file set', () => {
    const vars = { DISPLAY: ':1', SECRET: 'mine', A: 'vars' };
    expect(environmentWith({ vars, strip: ['SECRET'] })).toEqual({ PATH: '/bin', ...vars, ...MARKS });
  });

  it('a service cannot set a false run tag', () => {
    expect(environmentWith({ vars: { SUP_UNIT: 'other/x#1' } })['SUP_UNIT']).toBe(
      unitMark(serviceId(shop, 'web'), runId(3)),
    );
  });
});

describe('the environment of an instance', () => {
  it('an instance has its number in the environment, and a service without replicas has no number of an outer supervisor', () => {
    const own = { ...OWN, SUP_INSTANCE: '7' };
    const spec = specWith({ vars: { SUP_INSTANCE: '9' } });
    expect(unmarkedEnvironment({ ...spec, name: 'web@2' }, own)).toMatchObject({
      SUP_SERVICE: 'web@2',
      SUP_INSTANCE: '2',
    });
    expect(unmarkedEnvironment(specWith({}), own)).not.toHaveProperty('SUP_INSTANCE');
  });
});

describe('the environment of a command of a service', () => {
  it('a command of a service has the variables of the service, and no run tag of any supervisor', () => {
    const own = { ...OWN, SUP_UNIT: 'other/x#1', SUP_SUPERVISOR: '/other' };
    expect(unmarkedEnvironment(specWith({ vars: { A: 'mine' } }), own)).toEqual({
      PATH: '/bin',
      SECRET: 's',
      A: 'mine',
      SUP_PROJECT: 'shop',
      SUP_SERVICE: 'web',
    });
  });
});

describe('a session variable', () => {
  it.each([
    'SSH_AUTH_SOCK',
    'SSH_CLIENT',
    'DISPLAY',
    'WAYLAND_DISPLAY',
    'XAUTHORITY',
    'DBUS_SESSION_BUS_ADDRESS',
    'XDG_SESSION_ID',
    'XDG_VTNR',
    'XDG_SEAT',
    'WINDOWID',
    'TMUX',
    'TMUX_PANE',
    'STY',
    'TERM_SESSION_ID',
  ])('%s is a session variable', (name) => {
    expect(isSessionVariable(name)).toBe(true);
  });

  it.each(['HOME', 'PATH', 'TERM', 'XDG_DATA_HOME', 'SSHD', 'MY_DISPLAY', 'DISPLAYS', 'LANG'])(
    '%s is not a session variable',
    (name) => {
      expect(isSessionVariable(name)).toBe(false);
    },
  );
});
