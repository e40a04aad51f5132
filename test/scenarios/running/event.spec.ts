// Needs the native addon.
// `sup event`: a process of a service records an event of the service, and no other process does.
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { EventDocument } from '../../../src/streams/wire/documents/event-document.ts';
import { desk, within } from '../support/desk.ts';
import { holds } from '../support/eventually.ts';
import { fileComes } from '../support/marks.ts';
import { asNobody, asRoot, manifest, runningSys } from '../support/privileged.ts';
import { type Declared, loose, shell, steady } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import type { Stage } from '../support/stage.ts';
import { killOnlySupervisor } from '../support/supervisors.ts';
import { expectDone, expectFailed, started } from '../support/witnesses.ts';

const reported = async (stage: Stage, name = 'web'): Promise<readonly EventDocument[]> => {
  const { stdout } = await stage.sup('events', '--json', name);
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as EventDocument)
    .filter(({ kind }) => kind === 'service-event');
};

const still = (name: string, more: Declared = {}): Declared => desk(name, { mode: 'static' }, more);

/** Each of the services records one event, and no command of a confined one is carried out: another user has another data directory. */
const eachReports = async (stage: Stage, services: readonly string[]): Promise<void> => {
  for (const name of services) {
    const told = await within(stage, name, stage.line('event', `'by ${name}'`));
    expect([name, told.status, told.err]).toEqual([name, 0, '']);
    await holds(`the event of ${name}`, async () => (await reported(stage, name)).length > 0);
    expect(await reported(stage, name)).toMatchObject([{ service: name, run: 1, reason: `by ${name}` }]);
    if (name === 'plain') continue;
    expect((await within(stage, name, stage.line('stop', 'victim'))).err).toMatch(/ERR0750|ERR0206/);
  }
};

describe('sup event', () => {
  scenario('a process of a service records an event with level and data', async (stage) => {
    const line = stage.line('event', "'cache warmed'", '--level', 'warning', '--data', 'entries=512');
    await started(stage, loose({ web: shell(`${line}; touch over; exec sleep 1000`) }));
    await fileComes(stage, 'over');
    await holds('the event', async () => (await reported(stage)).length > 0);
    expect(await reported(stage)).toMatchObject([
      {
        ...{ service: 'web', run: 1, cause: 'reported', reason: 'cache warmed' },
        ...{ level: 'warning', data: { entries: '512' } },
      },
    ]);
    const { stdout } = await stage.sup('events', 'web');
    expect(stdout).toMatch(/web event \(cache warmed, entries=512\)/);
  });

  scenario('outside a service an event is refused', async (stage) => {
    await started(stage, loose({ web: shell('exec sleep 1000') }));
    expectFailed(await stage.sup('event', 'cache warmed'), 'ERR0409');
    expectFailed(await stage.sup('event', 'x'.repeat(1001)), 'ERR0409');
    expect(await reported(stage)).toEqual([]);
  });

  asNobody('plain and confined services use no control socket', async (stage) => {
    const services = {
      plain: still('plain'),
      walled: still('walled', { isolation: { landlock: { rw_paths: ['/'] } } }),
      hidden: still('hidden', { isolation: { user: true } }),
      victim: steady(),
    };
    stage.declare(manifest(services, '2'));
    expectDone(await stage.sup('start', '--daemonize'));
    await eachReports(stage, ['walled', 'hidden']);
    const socket = join(stage.data, 'control.sock');
    chmodSync(socket, 0);
    const told = await within(stage, 'plain', stage.line('event', "'by plain'"));
    expect(told).toMatchObject({ status: 0, err: '' });
    expect((await within(stage, 'plain', stage.line('stop', 'victim'))).err).toContain('ERR0701');
    chmodSync(socket, 0o600);
    await holds('the event', async () => (await reported(stage, 'plain')).length > 0);
  });

  asRoot('services of other users and in namespaces record events, also after a kill -9', async (stage) => {
    const services = {
      plain: still('plain'),
      user: still('user', { user: 'www-data' }),
      confined: still('confined', { capabilities: [], isolation: { network: true, mount: true } }),
      inner: still('inner', { isolation: { user: true } }),
      victim: steady(),
    };
    await runningSys(stage, services);
    chmodSync(stage.work, 0o777);
    await eachReports(stage, ['plain', 'user', 'confined', 'inner']);
    killOnlySupervisor(stage);
    const told = await within(stage, 'user', stage.line('event', 'again'));
    expect(told).toMatchObject({ status: 0, err: '' });
    await holds('the second event', async () => (await reported(stage, 'user')).length === 2);
  });
});
