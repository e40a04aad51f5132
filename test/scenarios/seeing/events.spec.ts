// What happened, why things are as they are, and waiting for them: through the built program, with a supervisor and
// without one.
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { InspectDocument } from '../../../src/streams/wire/documents/documents.ts';
import type { EventDocument } from '../../../src/streams/wire/documents/event-document.ts';
import type { WaitDocument } from '../../../src/streams/wire/documents/wait-document.ts';
import type { WhyDocument } from '../../../src/streams/wire/documents/why-document.ts';
import { expectSchema } from '../support/schemas.ts';
import { holds } from '../support/eventually.ts';
import { killSupervisor } from '../support/own-death.ts';
import { project, shell, steady } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import type { Stage } from '../support/stage.ts';
import { expectDone, expectFailed, pass, started } from '../support/witnesses.ts';

// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the schema has checked what it is
const documents = <D>(stdout: string): readonly D[] =>
  stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => expectSchema(JSON.parse(line) as D));

const events = async (stage: Stage, ...args: readonly string[]): Promise<readonly EventDocument[]> => {
  const outcome = await stage.sup('events', '--json', ...args);
  expectDone(outcome);
  return documents<EventDocument>(outcome.stdout);
};

const words = (told: readonly EventDocument[]): readonly string[] =>
  told.map(({ service, from, to }) => `${service ?? 'supervisor'} ${from ?? ''}>${to ?? ''}`);

const SHOP = {
  db: shell('echo "no disk"; test -e db-ok || { sleep 0.3; exit 3; }; exec sleep 1000', {
    backoff: '10m',
    deployment: { strategy: 'immediate' },
  }),
  web: steady({ depends_on: ['db'] }),
  job: { exec: ['true'], restart_policy: 'never' },
};

describe('events and waiting', () => {
  scenario(
    'events have causes, can be followed and waited for, and are kept without a supervisor',
    async (stage) => {
      stage.write('db-ok', '');
      await started(stage, project('shop', SHOP));
      const follow = stage.begin(['events', '-f', '-n', '1', 'shop/web']);
      await holds('the last event before it follows', () => follow.stdout().includes('\n'));
      const done = await stage.sup('wait', 'shop/job', '--for', 'done', '--timeout', '60s');
      expect([done.status, done.stdout]).toEqual([0, 'shop/job is done\n']);

      await holds('that db has looked for the file', () =>
        stage.members('shop/db').some(({ command }) => command === 'sleep 1000'),
      );
      rmSync(join(stage.work, 'db-ok'));
      const waiting = stage.begin(['wait', 'shop/web', '--for', 'stopped', '--timeout', '90s', '--json']);
      for (const { pid } of stage.members('shop/db')) process.kill(pid, 'SIGKILL');
      await pass(stage, { 'shop/db': 'backoff', 'shop/web': 'casualty' });

      // From the casualty to the crash of another, what that printed, when it goes on, and what to do.
      const why = await stage.sup('why', 'shop/web');
      expect(why.status).toBe(0);
      expect(why.stdout).toMatch(/^shop\/web has been a casualty for .* fell with db/m);
      expect(why.stdout).toMatch(/^ {2}because shop\/db has been in backoff for .*killed by SIGKILL/m);
      expect(why.stdout).toMatch(/\| no disk$/m);
      expect(why.stdout).toMatch(/next {2}shop\/db restarts in \d+/);
      expect(why.stdout).toMatch(/^ {4}sup restart shop\/db /m);
      const [told] = documents<WhyDocument>((await stage.sup('why', '--json')).stdout);
      expect(told?.services.map(({ service }) => service).toSorted()).toEqual(['db', 'web']);

      const at = await stage.sup('wait', 'shop/web', '--for', 'stopped', '--timeout', '1ms');
      expect([at.status, at.stdout]).toEqual([124, expect.stringContaining('shop/web is casualty')]);

      const late = await stage.sup('wait', 'shop/web', '--timeout', '200ms');
      expect([late.status, late.stdout]).toEqual([124, expect.stringContaining('shop/web is casualty')]);
      expectDone(await stage.sup('stop', 'shop/web', 'shop/db'));
      const { status, stdout } = await waiting.ended;
      expect([status, documents<WaitDocument>(stdout)[0]]).toMatchObject([
        0,
        { reached: true, for: 'stopped' },
      ]);
      const never = await stage.sup('wait', 'shop/web', '--json');
      expect([never.status, documents<WaitDocument>(never.stdout)[0]?.services[0]?.verdict]).toEqual([
        1,
        'never',
      ]);
      expect((await stage.sup('wait', '--for', 'godot')).status).toBe(2);

      await holds('what was followed', () => follow.stdout().includes('casualty → stopped'));
      follow.child.kill('SIGINT');
      expect((await follow.ended).status).toBe(0);
      expect(follow.stdout()).toMatch(/^\S+Z shop\/web running → stopping \(.*shop\/db failed\)$/m);
      expect(follow.stdout()).not.toContain('shop/db running');

      await holds('the last stored event', async () =>
        words(await events(stage)).includes('db backoff>stopped'),
      );
      await killSupervisor(stage);
      const kept = await events(stage, '--since', '1h', '-p', 'shop');
      expect(words(kept).filter((line) => line.startsWith('db'))).toEqual([
        'db stopped>waiting',
        'db waiting>starting',
        'db starting>running',
        'db running>stopping',
        'db stopping>backoff',
        'db backoff>stopped',
      ]);
      expect(kept.find(({ to }) => to === 'casualty')).toMatchObject({ service: 'web', because_of: ['db'] });
      expect(words(await events(stage))[0]).toBe('supervisor >running');
      expect(await events(stage, '--until', '1h')).toEqual([]);
      expect(await events(stage, '-n', '1')).toHaveLength(1);
      expect(statSync(join(stage.data, 'logs/events.jsonl')).mode & 0o777).toBe(0o600);

      // From the record: what was, marked so, and how to go on.
      const page = await stage.sup('inspect', 'shop/db');
      expect([page.status, page.stderr]).toEqual([3, expect.stringContaining('what was last recorded')]);
      expect(page.stdout).toMatch(/running → stopping {2}killed by SIGKILL/);
      const inspected = await stage.sup('inspect', 'shop/job', '--json');
      expect(documents<InspectDocument>(inspected.stdout)[0]).toMatchObject({
        supervisor: { running: false },
        services: [{ name: 'job', state: 'done', samples: null }],
      });
      const recorded = await stage.sup('why', 'shop/db', '--json');
      expect(recorded.status).toBe(3);
      expect(documents<WhyDocument>(recorded.stdout)[0]).toMatchObject({
        supervised: false,
        services: [{ service: 'db', state: 'stopped', actions: [{ command: 'sup start shop/db' }, {}] }],
      });
      expect((await stage.sup('inspect', 'shop/nobody')).stderr).toContain('ERR0202');
    },
  );

  scenario('sup wait waits until a service is healthy, unless it has no health check', async (stage) => {
    await started(stage, project('shop', { web: steady() }));
    const wait = await stage.sup('wait', '--for', 'healthy', 'web');
    expect(wait.status).toBe(1);
    expect(wait.stdout).toBe(
      'shop/web is running: it has no health_check, so it never becomes healthy: use sup wait --for running\n',
    );
    const [told] = documents<WaitDocument>((await stage.sup('wait', '--for', 'healthy', '--json')).stdout);
    expect(told?.services[0]?.reason).toMatch(/^it has no health_check/);
  });

  scenario('sup wait ends when the supervisor has ended', async (stage) => {
    await started(stage, project('shop', { web: steady(), db: steady() }));
    const stopped = stage.begin(['wait', '--for', 'stopped', '--json']);
    const done = stage.begin(['wait', 'shop/web', '--for', 'done']);
    expectDone(await stage.sup('shutdown'));
    expect((await stopped.ended).status).toBe(0);
    expect(documents<WaitDocument>((await stopped.ended).stdout)[0]).toMatchObject({
      reached: true,
      services: [{ state: 'stopped' }, { state: 'stopped' }],
    });
    expect((await done.ended).status).toBe(1);
    // The record tells what has stopped, also later; nothing else is to be had of it.
    expectDone(await stage.sup('wait', '--for', 'stopped'));
    expectFailed(await stage.sup('wait', 'shop/web', '--for', 'running'), 'ERR0206');
  });
});
