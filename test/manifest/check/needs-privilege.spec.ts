import { describe, expect, it } from 'vitest';
import { runsAsService } from '../../../src/streams/launch/command-as-service.ts';
import { loadText, manifestOf, serviceWith } from '../loading.ts';

const ALL = `user: app
group: 1000
supplementary_groups: [video, 44]
capabilities: [net_bind_service, CAP_KILL]
limits: { nofile: 10, cgroup: {} }
isolation: { network: true, seccomp: baseline }`;

describe('the key run_as', () => {
  it('run_as defaults to the service for a confined one under version 3, and can be declared', () => {
    const isService = (text: string, version: number): boolean | undefined => {
      const { manifest } = loadText(`version: ${version}\nservices: { web: { command: x${text} } }`);
      return manifest?.services.map(runsAsService)[0];
    };
    expect(isService(', user: app', 3)).toBe(true);
    expect(isService(', capabilities: []', 3)).toBe(true);
    expect(isService(', isolation: { user: true }', 3)).toBe(true);
    expect(isService(', isolation: { user: false }', 3)).toBe(false);
    expect(isService('', 3)).toBe(false);
    expect(isService(', user: app', 2)).toBe(false);
    expect(isService(', run_as: service', 2)).toBe(true);
    expect(isService(', user: app, run_as: supervisor', 3)).toBe(false);
  });
});

describe('privileged keys', () => {
  it('privileged keys are decoded in user mode too', () => {
    expect(serviceWith(ALL).privilege).toMatchObject({
      user: 'app',
      group: '1000',
      supplementaryGroups: ['video', '44'],
      capabilities: ['CAP_NET_BIND_SERVICE', 'CAP_KILL'],
      limits: { nofile: 10 },
      isolation: { network: true },
    });
  });

  it('privileged keys are each a warning in user mode (ERR0705), and the manifest loads', () => {
    const { manifest, problems } = loadText(manifestOf(ALL));
    expect(manifest).toBeDefined();
    expect(
      problems.map(({ code, severity, path }) => [code, severity, path.replace('services.web.', '')]),
    ).toEqual(
      ['user', 'group', 'supplementary_groups', 'capabilities', 'limits.cgroup', 'isolation.network'].map(
        (key) => ['ERR0705', 'warning', key],
      ),
    );
  });

  it.each([
    'limits: { nofile: 1, nproc: 1, memlock: 1, nice: 1, cpu_affinity: [0] }',
    'isolation: { seccomp: baseline, landlock: { ro_paths: [/usr] } }',
    'isolation: { user: true, network: true, mount: true, pid: true }',
    'isolation: { network: false }',
  ])('privileged keys are no warning if they need no root: %s', (keys) => {
    expect(loadText(manifestOf(keys, '3')).problems).toEqual([]);
  });

  it('privileged keys refuse a capability that Linux does not have', () => {
    const { problems } = loadText(manifestOf('capabilities: [CAP_NET_BIND]'));
    expect(problems.at(-1)).toMatchObject({ code: 'ERR0213', path: 'services.web.capabilities[0]' });
  });
});

describe('a cgroup or isolation key under version 3', () => {
  it('a cgroup or isolation key under version 3 is refused in user mode (ERR0721)', () => {
    const { manifest, problems } = loadText(
      manifestOf(
        'limits: { nice: 1, cgroup: { cpu_weight: 5 } }\nisolation: { pid: true, user: false }',
        '3',
      ),
    );
    expect(manifest).toBeUndefined();
    const errors = problems.filter(({ severity }) => severity === 'error');
    expect(errors.map(({ code, path }) => [code, path])).toEqual([
      ['ERR0721', 'services.web.limits.cgroup'],
      ['ERR0721', 'services.web.isolation.pid'],
    ]);
  });
});

describe('isolation.user with --sys', () => {
  const toldOf = (keys: string, version: '2' | '3'): readonly string[] =>
    loadText(manifestOf(`isolation: { user: true }\n${keys}`, version), { sys: true })
      .problems.filter(({ path }) => path.endsWith('isolation.user'))
      .map(({ code, severity, message }) => `${code} ${severity} ${message}`);

  it('isolation.user warns under version 2 that root inside is root of the machine', () => {
    const warned = [
      expect.stringMatching(/^ERR0721 warning maps root to root of the machine under version 2/),
    ];
    expect(toldOf('', '2')).toEqual(warned);
    expect(toldOf('user: root', '2')).toEqual(warned);
  });

  it('isolation.user does not warn under version 3, or if a user is named', () => {
    expect([...toldOf('', '3'), ...toldOf('user: nobody', '2')]).toEqual([]);
  });
});

describe('a user without --sys', () => {
  const messageFor = (uid: number): readonly string[] =>
    loadText(manifestOf('user: nobody'), { uid }).problems.map(
      ({ severity, message }) => `${severity} ${message}`,
    );

  it('a user without --sys has no effect, and keeps root from starting the service (ERR0742)', () => {
    const owner = process.getuid?.() ?? 0;
    expect(messageFor(owner)).toEqual([
      owner === 0
        ? 'warning the service will not be started without a privileged supervisor (--sys): it would run as root (ERR0742)'
        : 'warning has no effect without a privileged supervisor (--sys)',
    ]);
  });
});
