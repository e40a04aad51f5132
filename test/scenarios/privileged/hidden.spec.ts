// Needs the native addon.
// Confined services, from which the data directory is hidden: what else a supervisor does with services works with them too.
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect } from 'vitest';
import type { StatusDocument } from '../../../src/streams/wire/documents/documents.ts';
import { controlSocketOf } from '../../../src/client/control-socket.ts';
import { asking, HELD_SERVER } from '../support/asking.ts';
import { desk, within } from '../support/desk.ts';
import { holds } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { serviceLog } from '../support/logs.ts';
import { linesCome, linesOf } from '../support/marks.ts';
import { killSupervisor } from '../support/own-death.ts';
import { asRoot, manifest, pidsOf, runningSys, startSys, statusLine } from '../support/privileged.ts';
import { shell, steady, type Declared } from '../support/recipes.ts';
import type { Stage } from '../support/stage.ts';
import { expectDone } from '../support/witnesses.ts';

const CONFINED: Declared = { capabilities: [] };

/** What the process sees in this directory. */
const seenBy = (pid: number, directory: string): readonly string[] =>
  readdirSync(`/proc/${pid}/root${directory}`);

const LINES = 600;
const PRINTER = `i=0; while [ $$i -lt ${LINES} ]; do echo "line $$i"; i=$$((i+1)); sleep 0.005; done; exec sleep 1000`;

const printed = (stage: Stage): readonly string[] =>
  serviceLog(stage, 'web').map((line) => line.split(' ').slice(2).join(' '));

describe('a service from which the data directory is hidden', () => {
  asRoot('is adopted after supervisor and guardian were killed, and no line is lost', async (stage) => {
    const services = { web: shell(PRINTER, CONFINED) };
    const before = await runningSys(stage, services);
    await holds('some lines', () => printed(stage).length > 20);
    await killSupervisor(stage);
    expect(printed(stage).length).toBeLessThan(LINES);
    expectDone(await startSys(stage, services));
    expect(await pidsOf(stage, services)).toEqual(before);
    expect(seenBy(before.web, stage.data)).toEqual([]);
    await holds('all lines', () => printed(stage).length >= LINES);
    expect(printed(stage)).toEqual(Array.from({ length: LINES }, (_, at) => `line ${at}`));
    expectDone(await stage.sup('stop', '--sys'));
    expect(stage.members('web')).toEqual([]);
  });

  asRoot('is rolled with its held socket, before and after a crash and an upgrade', async (stage) => {
    const port = await freePort();
    stage.write('server.mjs', HELD_SERVER);
    const services = {
      web: {
        ...CONFINED,
        exec: [process.execPath, `${stage.work}/server.mjs`],
        stop_timeout: '30s',
        sockets: [{ name: 'http', listen: `127.0.0.1:${port}` }],
        deployment: { strategy: 'rolling', grace_period: '500ms' },
      },
    };
    const { web: first } = await runningSys(stage, services);
    const stop = asking(port);
    await killSupervisor(stage);
    expectDone(await stage.sup('restart', '--sys'));
    const { web: second } = await pidsOf(stage, services);
    expectDone(await stage.sup('upgrade', '--sys'));
    expectDone(await stage.sup('restart', '--sys'));
    const { web: third } = await pidsOf(stage, services);
    const { answered, refused } = await stop();
    expect({ refused, answered: answered > 0 }).toEqual({ refused: 0, answered: true });
    expect(new Set([first, second, third]).size).toBe(3);
    expect(seenBy(third, stage.data)).toEqual([]);
  });

  asRoot('is hidden from many that start at once, and from a service in a user namespace', async (stage) => {
    const many = Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`s${at}`, steady(CONFINED)]));
    const services = { ...many, own: steady({ isolation: { user: true }, working_dir: '/' }) };
    const pids = await runningSys(stage, services);
    for (const pid of Object.values(pids)) expect(seenBy(pid, stage.data)).toEqual([]);
    expect(Object.values(pids).map((pid) => statusLine(pid, 'CapBnd')[0] === '0000000000000000')).toEqual([
      ...Array.from({ length: 10 }, () => true),
      false,
    ]);
  });

  asRoot('sees nothing of a data directory with a long path, and of its socket in /run', async (stage) => {
    const data = join(stage.root, 'd'.repeat(60), 'e'.repeat(60));
    const environment = { SUP_DATA_DIR: data };
    stage.declare(manifest({ web: steady(CONFINED) }));
    const sup = (...line: readonly string[]) => stage.begin(line, { environment }).ended;
    expectDone(await sup('start', '--sys', '--daemonize'));
    try {
      const { projects } = JSON.parse((await sup('status', '--sys', '--json')).stdout) as StatusDocument;
      const pid = projects[0]?.services[0]?.pid ?? 0;
      expect(seenBy(pid, data)).toEqual([]);
      const place = dirname(controlSocketOf(data));
      expect(readdirSync(place)).not.toEqual([]);
      expect(seenBy(pid, place)).toEqual([]);
    } finally {
      expectDone(await sup('shutdown', '--sys'));
    }
  });

  asRoot('keeps the connection of its own to the supervisor over an upgrade', async (stage) => {
    const services = {
      trusted: desk('trusted', { mode: 'static' }, { ...CONFINED, control: true }),
      refused: desk('refused', { mode: 'static' }, CONFINED),
      ticker: shell('while :; do echo tick; sleep 0.1; done'),
    };
    await runningSys(stage, services);
    await within(stage, 'trusted', `${stage.line('logs', '-f', 'ticker')} > followed 2>&1 &`);
    await linesCome(stage, 'followed', 5);
    expectDone(await stage.sup('upgrade', '--sys'));
    await linesCome(stage, 'followed', linesOf(stage, 'followed').length + 10);
    expect((await within(stage, 'refused', stage.line('status'))).err).toContain('ERR0750');
    expect((await within(stage, 'trusted', stage.line('status'))).status).toBe(0);
  });
});
