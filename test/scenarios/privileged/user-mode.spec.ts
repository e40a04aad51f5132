// Needs the native addon.
// Without root: keys that need no root apply, others are reported and ignored, and no process becomes root.
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { eventually, holds } from '../support/eventually.ts';
import { serviceLog, supervisorLog } from '../support/logs.ts';
import { asNobody, idOf, limitOf, manifest, namespaceOf, statusLine } from '../support/privileged.ts';
import { shell, steady, type Declared } from '../support/recipes.ts';
import type { Stage } from '../support/stage.ts';
import { agree, expectFailed } from '../support/witnesses.ts';

const isLogged = (stage: Stage, text: string): Promise<void> =>
  holds(`"${text}" in the log of the supervisor`, () => supervisorLog(stage).join('\n').includes(text));

const running = async <S extends Readonly<Record<string, Declared>>>(
  stage: Stage,
  services: S,
  version: string,
): Promise<Record<keyof S, number>> => {
  stage.declare(manifest(services, version));
  const outcome = await stage.sup('start', '--daemonize');
  expect(outcome.status, outcome.stderr).toBe(0);
  const words = Object.fromEntries(Object.keys(services).map((name) => [name, 'running' as const]));
  const found = await agree(stage, words);
  const pids = Object.entries(found).map(([name, { pid }]) => [name, pid ?? 0]);
  // One number for each name that was declared.
  return Object.fromEntries(pids) as Record<keyof S, number>;
};

const differs = (pid: number, kind: string): boolean => namespaceOf(pid, kind) !== namespaceOf('self', kind);

describe('an ordinary user', () => {
  asNobody('has limits, Landlock, seccomp and a user namespace carried out', async (stage) => {
    const at = join(stage.work, 'here');
    const pids = await running(
      stage,
      {
        low: steady({ limits: { nofile: 64, nice: 5, cpu_affinity: [0] } }),
        box: shell(`(echo x > ${at}) 2>/dev/null || echo no-write; exec sleep 1000`, {
          isolation: { landlock: { ro_paths: ['/'], rw_paths: ['/dev/null'] }, seccomp: 'baseline' },
        }),
        inside: steady({ isolation: { user: true, network: true, mount: true } }),
      },
      '3',
    );
    expect(limitOf(pids.low, 'Max open files')).toEqual(['64', '64']);
    expect(statusLine(pids.low, 'Cpus_allowed_list')).toEqual(['0']);
    expect([statusLine(pids.box, 'Seccomp'), statusLine(pids.box, 'NoNewPrivs')]).toEqual([['2'], ['1']]);
    expect(idOf(pids.box, 'Uid')).toBe(65534);
    const [line] = await eventually({
      what: 'a line of box',
      look: () => {
        const lines = serviceLog(stage, 'box');
        return lines.length > 0 ? lines : undefined;
      },
    });
    expect(line).toMatch(/no-write$/);
    expect(['user', 'net', 'mnt'].map((kind) => differs(pids.inside, kind))).toEqual([true, true, true]);
    expect(idOf(pids.inside, 'Uid')).toBe(65534);
  });

  asNobody(
    'is told under version 2 what the kernel does not grant, and the service runs without',
    async (stage) => {
      const { low } = await running(stage, { low: steady({ limits: { nice: -5, nofile: 64 } }) }, '2');
      expect(limitOf(low, 'Max open files')).toEqual(['64', '64']);
      const { low: told } = await agree(stage, { low: 'running' });
      expect(told.reason).toBe('runs without limits.nice');
      expect((await stage.inspect('low')).services[0]?.skipped_isolation).toEqual([
        'limits.nice: setpriority: EACCES',
      ]);
      await isLogged(stage, 'warn [low] runs without limits.nice: setpriority: EACCES');
    },
  );

  asNobody(
    'is refused under version 3 what the kernel does not grant, and nothing was run',
    async (stage) => {
      stage.declare(manifest({ low: shell('touch ran', { limits: { nice: -5 }, restart_policy: 'never' }) }));
      const outcome = await stage.sup('start', '--daemonize');
      expectFailed(outcome, 'ERR0744');
      expect(outcome.stderr).toContain('not started: limits.nice: setpriority: EACCES');
      await agree(stage, { low: 'failed' });
    },
  );

  asNobody('is warned of keys that need root, and stays who it is', async (stage) => {
    stage.declare(manifest({ web: steady({ user: 'root', capabilities: ['SYS_ADMIN'] }) }, '2'));
    const outcome = await stage.sup('start', '--daemonize');
    expect(outcome.status).toBe(0);
    for (const key of ['user', 'capabilities'])
      expect(outcome.stderr).toContain(`ERR0705 services.web.${key}`);
    const { web } = await agree(stage, { web: 'running' });
    expect(web.reason).toBe('runs without user, capabilities');
    expect((await stage.inspect('web')).services[0]?.skipped_isolation).toEqual([
      'user: has no effect without a privileged supervisor (--sys)',
      'capabilities: has no effect without a privileged supervisor (--sys)',
    ]);
    await isLogged(stage, 'warn [web] runs without user: has no effect');
    expect(idOf(web.pid ?? 0, 'Uid')).toBe(65534);
    expect(statusLine(web.pid ?? 0, 'CapEff')).toEqual(['0'.repeat(16)]);
  });

  asNobody('has no --sys', async (stage) => {
    stage.declare(manifest({ web: steady() }));
    expectFailed(await stage.sup('start', '--sys', '--daemonize'), 'ERR0704');
  });
});
