// Needs the native addon.
// A root supervisor over an upgrade: the users of its services, and their confinement.
import { existsSync, readFileSync, rmdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect } from 'vitest';
import {
  asRoot,
  capabilitiesOf,
  idOf,
  limitOf,
  pidsOf,
  runningSys,
  startSys,
} from '../support/privileged.ts';
import { holds } from '../support/eventually.ts';
import { shell, steady } from '../support/recipes.ts';
import { supervisorPid } from '../support/own-death.ts';
import { agree, expectDone, pass } from '../support/witnesses.ts';

const HIERARCHY =
  ['/sys/fs/cgroup/unified', '/sys/fs/cgroup'].find((directory) =>
    existsSync(join(directory, 'cgroup.controllers')),
  ) ?? '/sys/fs/cgroup';

const cgroupOf = (pid: number): string =>
  /^0::(.*)$/m.exec(readFileSync(`/proc/${pid}/cgroup`, 'utf8'))?.[1] ?? 'none';

/** All by which the kernel tells how it is confined. */
const confinementOf = (pid: number) => ({
  user: idOf(pid, 'Uid'),
  group: idOf(pid, 'Gid'),
  files: limitOf(pid, 'Max open files'),
  capabilities: capabilitiesOf(pid),
  cgroup: cgroupOf(pid),
});

describe('an upgrade of a privileged supervisor', () => {
  asRoot('leaves services their user, limits and cgroup, and gives the next run the same', async (stage) => {
    const root = join(HIERARCHY, `sup-${basename(stage.root)}`);
    const limits = { nofile: 77, cgroup: { root } };
    const services = {
      web: steady({ user: 'nobody', limits }),
      flapping: shell('sleep 0.1; exit 7', { user: 'nobody', limits, backoff: '50ms', max_restarts: 10_000 }),
    };
    const { web } = await runningSys(stage, { web: services.web });
    const before = confinementOf(web);
    expect(before).toMatchObject({
      user: 65534,
      files: ['77', '77'],
      cgroup: `/${basename(root)}/__loose__:web`,
    });
    await startSys(stage, services);
    await pass(stage, { web: 'running', flapping: 'backoff' });
    const supervisor = await supervisorPid(stage);
    for (let upgrade = 0; upgrade < 2; upgrade += 1) expectDone(await stage.sup('upgrade', '--sys'));
    expect(await supervisorPid(stage)).toBe(supervisor);
    expect((await pidsOf(stage, services)).web).toBe(web);
    expect(confinementOf(web)).toEqual(before);
    const { services: seen } = await stage.inspect('flapping');
    const ends = seen[0]?.history.filter(({ cause }) => cause === 'exited') ?? [];
    expect(new Set(ends.map(({ reason }) => reason))).toEqual(new Set(['exited with 7']));
    // All witnesses are compared for each service, so no service may be in transition.
    expectDone(await stage.sup('stop', '--sys', 'flapping'));
    expectDone(await stage.sup('restart', '--sys', 'web'));
    const { web: again } = await agree(stage, { web: 'running' });
    expect(again.run).toBe(2);
    expect(confinementOf(again.pid ?? 0)).toEqual(before);
    expectDone(await stage.sup('stop', '--sys'));
    await holds('no cgroup is left', () => !existsSync(join(root, '__loose__:web')));
    await holds('none of the other', () => !existsSync(join(root, '__loose__:flapping')));
    rmdirSync(root);
  });
});
