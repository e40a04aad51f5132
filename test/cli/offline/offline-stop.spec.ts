import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { lastValueFrom } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { offlineStatus } from '../../../src/client/offline-status.ts';
import { offlineStop } from '../../../src/cli/offline/offline-stop.ts';
import { peekStore } from '../../../src/sources/store/read-saved-state.ts';
import { stateWriter } from '../../../src/sinks/store/save-changes.ts';
import { startTicksOf } from '../../../src/os/proc/process-stat.ts';
import { instant, ms } from '../../../src/streams/domain/time.ts';
import { runId } from '../../../src/streams/domain/ids.ts';
import { freshService, type Service } from '../../../src/streams/domain/service/service.ts';
import type { ServiceSpec } from '../../../src/streams/domain/declared/spec.ts';
import { needs, SHOP, specOf } from '../../support/spec.ts';
import { contextIn, fakeWorld, type Heard } from '../support/fake-world.ts';

let dataDir: string;
let heard: Heard;
const started: number[] = [];

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'sup-offline-'));
  heard = fakeWorld({ environment: { SUP_DATA_DIR: dataDir } });
});
afterEach(() => {
  for (const pid of started.splice(0)) {
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // It ended in the test, as it should.
    }
  }
  rmSync(dataDir, { recursive: true });
});

/** A service that runs in the recorded state and in truth: a shell with this script, in a session of its own. */
const running = async (
  name: string,
  script: string,
  changes: Partial<ServiceSpec> = {},
): Promise<Service> => {
  const spec = specOf(name, changes);
  const ready = join(dataDir, `${name}.ready`);
  const child = spawn('sh', ['-c', `${script}\n: > ${ready}\nwhile :; do sleep 0.05; done`], {
    detached: true,
    stdio: 'ignore',
    env: { PATH: process.env['PATH'] ?? '', SUP_UNIT: `${spec.id}#1`, SUP_SUPERVISOR: dataDir },
  });
  await once(child, 'spawn');
  const pid = child.pid ?? 0;
  started.push(pid);
  while (!existsSync(ready)) await pause(2);
  const now = instant(Date.now());
  return {
    ...freshService(spec),
    wanted: 'up',
    runs: 1,
    actual: {
      tag: 'up',
      run: runId(1),
      process: { pid, startTicks: startTicksOf(pid) ?? 0 },
      since: now,
      readyAt: now,
      health: { health: 'healthy', failures: 0 },
    },
  };
};

const record = (...services: readonly Service[]): Promise<unknown> =>
  lastValueFrom(stateWriter({ dataDir, logError: () => undefined }).flush({ project: SHOP, services }), {
    defaultValue: undefined,
  });

const pidOf = ({ actual }: Service): number => ('process' in actual ? actual.process.pid : 0);

describe('a stop without a supervisor', () => {
  it('an offline stop stops recorded services, dependents first, and records it', async () => {
    const log = join(dataDir, 'order');
    const note = (name: string): string => `trap 'echo ${name} >> ${log}; exit 0' TERM`;
    const db = await running('db', note('db'));
    const web = await running('web', note('web'), { dependsOn: needs('db') });
    await record(db, web);
    const done = await offlineStop(contextIn(heard), {});
    expect(done.outcomes).toEqual([
      { service: 'shop/db', what: 'stopped' },
      { service: 'shop/web', what: 'stopped' },
    ]);
    expect(readFileSync(log, 'utf8')).toBe('web\ndb\n');
    expect([db, web].map((service) => startTicksOf(pidOf(service)))).toEqual([undefined, undefined]);
    const { projects } = offlineStatus(contextIn(heard), {}, undefined);
    expect(projects[0]?.services.map(({ wanted, state }) => [wanted, state])).toEqual([
      ['down', 'stopped'],
      ['down', 'stopped'],
    ]);
  });

  it('an offline stop names a process that ignores the stop signal, and kills it', async () => {
    const web = await running('web', 'trap "" TERM', { stopTimeout: ms(100) });
    await record(web);
    const done = await offlineStop(contextIn(heard), {});
    expect(done.outcomes).toEqual([{ service: 'shop/web', what: 'stopped' }]);
    expect(heard.err()).toContain(`shop/web: SIGKILL after stop_timeout: pid ${pidOf(web)}`);
    expect(startTicksOf(pidOf(web))).toBeUndefined();
  });

  it('an offline stop finds processes outside the session of the service by their mark', async () => {
    const stray = join(dataDir, 'stray');
    const web = await running(
      'web',
      `setsid sh -c 'echo $$ > ${stray}; exec sleep 60' &\nuntil [ -s ${stray} ]; do :; done`,
    );
    await record(web);
    await offlineStop(contextIn(heard), {});
    expect(startTicksOf(Number(readFileSync(stray, 'utf8')))).toBeUndefined();
  });

  it('an offline stop of one service leaves the others alone', async () => {
    const [db, web] = [await running('db', ''), await running('web', '', { dependsOn: needs('db') })];
    await record(db, web);
    expect((await offlineStop(contextIn(heard), { services: ['db'] })).outcomes).toEqual([
      { service: 'shop/db', what: 'stopped' },
    ]);
    expect(startTicksOf(pidOf(web))).toBeDefined();
  });

  it('an offline stop never touches another process with a reused pid', async () => {
    const web = await running('web', '');
    const mail = await running('mail', '');
    if (web.actual.tag !== 'up') throw new Error('it is up');
    const { pid, startTicks } = web.actual.process;
    // The process of web carries the mark of another service by now, as far as mail is concerned.
    const claimed = { ...web.actual, process: { pid, startTicks: startTicks - 1 } };
    await record(web, { ...mail, actual: claimed });
    await offlineStop(contextIn(heard), { services: ['mail'] });
    expect(startTicksOf(pidOf(mail))).toBeUndefined();
    expect(startTicksOf(pid)).toBe(startTicks);
  });

  it('an offline stop stops a run older than the recorded one and keeps the count of runs', async () => {
    const web = await running('web', '');
    await record({ ...web, runs: 7, actual: { tag: 'down', why: { tag: 'asked' } } });
    await offlineStop(contextIn(heard), {});
    expect(startTicksOf(pidOf(web))).toBeUndefined();
    expect(peekStore(dataDir).services).toMatchObject([{ runs: 7, actual: { tag: 'down' } }]);
  });

  it('an offline stop stops the rest of a run whose leader is gone', async () => {
    const stray = join(dataDir, 'stray');
    const web = await running(
      'web',
      `sh -c 'echo $$ > ${stray}; exec sleep 60' &\nuntil [ -s ${stray} ]; do :; done`,
    );
    process.kill(pidOf(web), 'SIGKILL');
    while (startTicksOf(pidOf(web)) !== undefined) await pause(2);
    await record({ ...web, actual: { tag: 'down', why: { tag: 'asked' } } });
    await offlineStop(contextIn(heard), {});
    expect(startTicksOf(Number(readFileSync(stray, 'utf8')))).toBeUndefined();
  });

  it('an offline stop keeps the record of other services', async () => {
    const [db, web] = [await running('db', ''), await running('web', '')];
    await record({ ...db, resume: true }, { ...web, resume: true });
    await offlineStop(contextIn(heard), { services: ['web'] });
    const [first, second] = peekStore(dataDir).services;
    expect(first).toEqual({ ...db, resume: true });
    expect(second).toMatchObject({ wanted: 'down', resume: false, actual: { tag: 'down' } });
  });

  it('an offline stop checks again if an earlier one could not be verified', async () => {
    const web = await running('web', '');
    const { actual } = web;
    if (actual.tag !== 'up') throw new Error('it is up');
    const long = instant(Date.now() - 600_000);
    const unverified = { ...actual, tag: 'stopping', cause: { tag: 'asked' }, phase: 'unverified' } as const;
    const { readyAt: _ready, health: _health, ...stopping } = { ...unverified, phaseSince: long, asked: [] };
    await record({ ...web, wanted: 'down', actual: stopping });
    await offlineStop(contextIn(heard), {});
    expect(startTicksOf(pidOf(web))).toBeUndefined();
  });

  it('an offline stop refuses a name that is not recorded', async () => {
    await record(freshService(specOf('web')));
    await expect(offlineStop(contextIn(heard), { services: ['wbe'] })).rejects.toThrow(/ERR0202/);
    await expect(offlineStop(contextIn(heard), { projects: ['bank'] })).rejects.toThrow(/ERR0202/);
  });

  it('an offline stop says that no supervisor is running if nothing is recorded', async () => {
    await expect(offlineStop(contextIn(heard), {})).rejects.toThrow(/ERR0206/);
  });
});

describe('an offline status', () => {
  it('an offline status shows a process that is verifiably alive, and assumes no health', async () => {
    const web = await running('web', '');
    await record(web);
    const { supervisor, projects } = offlineStatus(contextIn(heard), {}, undefined);
    expect(supervisor.running).toBe(false);
    expect(projects[0]?.services[0]).toMatchObject({ state: 'running', health: 'unknown', pid: pidOf(web) });
  });

  it('an offline status calls a recorded process that is gone lost', async () => {
    const web = await running('web', '');
    process.kill(-pidOf(web), 'SIGKILL');
    while (startTicksOf(pidOf(web)) !== undefined) await pause(2);
    await record(web);
    const [project] = offlineStatus(contextIn(heard), { services: ['web'] }, undefined).projects;
    expect(project?.services[0]).toMatchObject({ state: 'lost', health: 'unknown', pid: null });
    expect(project?.services[0]?.reason).toContain(`pid ${pidOf(web)}`);
  });
});
