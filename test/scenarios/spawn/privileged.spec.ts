// Needs the native addon.
// A child is confined as its service is, and a service of another user may request one although it cannot enter
// the data directory. No other process may use that socket.
import { chmodSync, existsSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { serviceSocketPath } from '../../../src/sources/control/socket-place.ts';
import { childrenOf, desk, spawnWithin } from '../support/desk.ts';
import { asRoot, capabilitiesOf, idOf, limitOf, runningSys, statusLine } from '../support/privileged.ts';
import { expectDone, serviceIn } from '../support/witnesses.ts';
import { launch } from '../support/command.ts';
import { killSupervisor } from '../support/own-death.ts';
import type { Stage } from '../support/stage.ts';

/** `sup` of this stage as the user `nobody`, which has nothing to do with it. */
const asStranger = (stage: Stage, ...args: readonly string[]) =>
  launch({
    argv: [
      ...['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'],
      ...stage.line(...args).split(' '),
    ],
    directory: '/',
    environment: {
      ...{ PATH: process.env['PATH'] ?? '', HOME: '/nonexistent' },
      ...{ SUP_SUPERVISOR: stage.data, SUP_UNIT: '__loose__/web#1' },
    },
    limit: 90_000,
    line: `sup ${args.join(' ')}`,
  }).ended;

describe('a child of a service that runs as another user', () => {
  asRoot('is that user, with the same limits, capabilities and filter', async (stage) => {
    const confined = {
      user: 'www-data',
      limits: { nofile: 500 },
      isolation: { seccomp: 'baseline' },
    };
    const { web } = await runningSys(stage, { web: desk('web', {}, confined) });
    // Not before the manifest is read: one that others can exchange is not trusted.
    chmodSync(stage.work, 0o777);
    const spawned = await spawnWithin(stage, 'web', '--name', 'a', '--', 'sleep', '1000');
    expect(spawned).toMatchObject({ status: 0, err: '' });
    const child = (await childrenOf(stage, 'web')).children[0]?.pid ?? 0;
    expect([idOf(child, 'Uid'), idOf(child, 'Gid')]).toEqual([33, 33]);
    for (const name of ['Uid', 'Gid', 'Groups', 'Seccomp', 'NoNewPrivs'])
      expect(statusLine(child, name)).toEqual(statusLine(web, name));
    expect(capabilitiesOf(child)).toEqual(capabilitiesOf(web));
    expect(limitOf(child, 'Max open files')).toEqual(['500', '500']);
    const stranger = await asStranger(stage, 'spawn', '--', 'sleep', '1000');
    expect(stranger.status).toBe(1);
    // No dynamic service has its uid, so it is not even greeted.
    expect(stranger.stderr).toContain('ERR0206');
    expect(existsSync(serviceSocketPath(stage.data, { sys: true }))).toBe(true);
    expectDone(await stage.sup('stop', '--sys', 'web'));
    expect(stage.members()).toEqual([]);
    expectDone(await stage.sup('shutdown', '--sys'));
    expect(existsSync(serviceSocketPath(stage.data, { sys: true }))).toBe(false);
  });
});

describe('root of a user namespace under version 3', () => {
  asRoot('gets children of its own ids, is adopted after a kill -9 and is stopped', async (stage) => {
    const { web } = await runningSys(stage, { web: desk('web', {}, { isolation: { user: true } }) });
    chmodSync(stage.work, 0o777);
    const uid = idOf(web, 'Uid');
    expect(uid).toBeGreaterThanOrEqual(0x1000_0000);
    const spawned = await spawnWithin(stage, 'web', '--name', 'a', '--', 'sleep', '1000');
    expect(spawned).toMatchObject({ status: 0, err: '' });
    const child = (await childrenOf(stage, 'web')).children[0]?.pid ?? 0;
    expect(idOf(child, 'Uid')).toBe(uid);
    await killSupervisor(stage);
    chmodSync(stage.work, 0o755);
    expectDone(await stage.sup('start', '--sys', '--daemonize'));
    const { document } = await stage.status();
    expect(serviceIn(document, 'web')).toMatchObject({ state: 'running', pid: web, run: 1 });
    expectDone(await stage.sup('stop', '--sys', 'web'));
    expect(stage.members()).toEqual([]);
  });
});
