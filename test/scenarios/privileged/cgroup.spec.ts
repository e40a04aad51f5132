// Needs the native addon.
// Privileged: cgroups. This kind of machine may have a v2 hierarchy without controllers: joining and leaving are real
// there, ceilings are refused or passed over.
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect } from 'vitest';
import { eventually, holds } from '../support/eventually.ts';
import { supervisorLog } from '../support/logs.ts';
import { asRoot, pidsOf, runningSys, startSys } from '../support/privileged.ts';
import { shell, steady } from '../support/recipes.ts';
import type { Stage } from '../support/stage.ts';
import { agree, expectDone } from '../support/witnesses.ts';

const HIERARCHY = ['/sys/fs/cgroup/unified', '/sys/fs/cgroup'].find((directory) =>
  existsSync(join(directory, 'cgroup.controllers')),
);
const controllers =
  HIERARCHY === undefined ? '' : readFileSync(join(HIERARCHY, 'cgroup.controllers'), 'utf8').trim();

const rootOf = (stage: Stage): string => join(HIERARCHY ?? '/sys/fs/cgroup', `sup-${basename(stage.root)}`);

/** The path in the v2 hierarchy. */
const cgroupOf = (pid: number): string =>
  /^0::(.*)$/m.exec(readFileSync(`/proc/${pid}/cgroup`, 'utf8'))?.[1] ?? 'none';

describe('a cgroup', () => {
  asRoot(
    'is joined before the program begins, by all that it starts, and removed when nobody is left',
    async (stage) => {
      expect(HIERARCHY, 'a cgroup v2 hierarchy').toBeDefined();
      const root = rootOf(stage);
      const { web } = await runningSys(stage, {
        web: shell('sleep 1000 & exec sleep 1000', { user: 'nobody', limits: { cgroup: { root } } }),
      });
      const expected = `/${basename(root)}/__loose__:web`;
      expect(cgroupOf(web)).toBe(expected);
      await holds('both processes', () => stage.members('web').length === 2);
      expect(stage.members('web').map(({ pid }) => cgroupOf(pid))).toEqual([expected, expected]);
      await stage.sup('restart', '--service', 'web');
      expect(cgroupOf((await pidsOf(stage, { web: {} })).web)).toBe(expected);
      expectDone(await stage.sup('stop', '--service', 'web'));
      await eventually({
        what: 'the cgroup to be gone',
        look: () => (existsSync(join(root, '__loose__:web')) ? undefined : true),
      });
      rmdirSync(root);
    },
  );

  asRoot(
    'that cannot be had refuses the service under version 3, and is told under version 2',
    async (stage) => {
      const root = join(stage.root, 'no-hierarchy');
      const services = {
        web: steady({ limits: { cgroup: { root, memory_max: '64M' } }, restart_policy: 'never' }),
      };
      const refused = await startSys(stage, services);
      const reason = `limits.cgroup: there is no cgroup v2 hierarchy at ${root}`;
      expect(refused.stderr).toContain(`ERR0726 web: not started: ${reason}`);
      expect(stage.members('web')).toEqual([]);
      expectDone(await startSys(stage, services, '2'));
      const { web } = await agree(stage, { web: 'running' });
      expect(web.reason).toBe('runs without limits.cgroup');
      expect((await stage.inspect('web')).services[0]?.skipped_isolation).toEqual([reason]);
      expect(supervisorLog(stage).join('\n')).toContain(`warn [web] runs without ${reason}`);
    },
  );

  asRoot(
    'that cannot be joined refuses the service under version 3, and is told under version 2',
    async (stage) => {
      const root = rootOf(stage);
      mkdirSync(root);
      // The cgroups below are none for whole processes then.
      writeFileSync(join(root, 'cgroup.type'), 'threaded');
      const services = { web: steady({ limits: { cgroup: { root } }, restart_policy: 'never' }) };
      const reason = `limits.cgroup: ${root}/__loose__:web/cgroup.procs cannot be written (ENOTSUP)`;
      expect((await startSys(stage, services)).stderr).toContain(`ERR0726 web: not started: ${reason}`);
      expectDone(await startSys(stage, services, '2'));
      const { web } = await agree(stage, { web: 'running' });
      expect(web.reason).toBe('runs without limits.cgroup');
      expect((await stage.inspect('web')).services[0]?.skipped_isolation).toEqual([reason]);
      expectDone(await stage.sup('stop', '--service', 'web'));
      await eventually({
        what: 'the cgroup to be gone',
        look: () => (existsSync(join(root, '__loose__:web')) ? undefined : true),
      });
      rmdirSync(root);
    },
  );

  asRoot('whose ceilings nobody would hold is none', async (stage) => {
    const root = rootOf(stage);
    const outcome = await startSys(stage, {
      web: steady({ limits: { cgroup: { root, memory_max: '64M' } }, restart_policy: 'never' }),
    });
    if (/\bmemory\b/.test(controllers)) expectDone(outcome);
    else expect(outcome.stderr).toContain('has no memory controller');
  });
});
