import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { filter, map, Subject, type Subscription } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Client, connect } from '../../../src/client/client.ts';
import { type Measures, questions, replies } from '../../../src/sinks/control/client-answers.ts';
import { commandRequests, controlServer } from '../../../src/sources/control/server.ts';
import { DEFAULT_SETTINGS } from '../../../src/streams/domain/declared/settings.ts';
import type { EffectOf } from '../../../src/streams/domain/effect.ts';
import { requestId, type ServiceId } from '../../../src/streams/domain/ids.ts';
import { lookUpIn, type Snapshot } from '../../../src/streams/views/state-snapshot.ts';
import type { ControlServer } from '../../../src/streams/wire/control-ports.ts';
import type { MetricsDocument } from '../../../src/streams/wire/documents/metrics-documents.ts';
import { PROTOCOL, type View } from '../../../src/streams/wire/protocol.ts';
import { listen } from '../../support/listen.ts';
import { idOf } from '../../support/spec.ts';
import { NOW, serviceIn } from '../../support/states.ts';
import { PATIENT } from '../../support/patience.ts';

describe('a command', () => {
  it('a command becomes an event, and its reply reaches its client', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'sup-replies-'));
    const hello = { protocol: PROTOCOL, version: 'x', pid: 1, since: 'x' };
    const server = controlServer({ socketPath: join(dataDir, 'control.sock'), hello });
    const reply$ = new Subject<EffectOf<'reply'>>();
    const subscription = listen(replies(server)(reply$));
    subscription.add(
      listen(
        commandRequests(server).pipe(
          filter((event) => event.type === 'requested'),
          map(({ request, command }): EffectOf<'reply'> => {
            const ok = command.type === 'stop';
            return ok
              ? {
                  type: 'reply',
                  request,
                  reply: {
                    ok,
                    done: { outcomes: [{ service: idOf('web'), what: 'started' }], warnings: [] },
                  },
                }
              : {
                  type: 'reply',
                  request,
                  reply: { ok, error: { code: 'ERR0106', failures: [], total: 1 }, warnings: ['careful'] },
                };
          }),
        ),
        (effect) => reply$.next(effect),
      ),
    );
    await server.listen();
    const [first, second] = await Promise.all([connect(dataDir), connect(dataDir)]);
    const done = first.call('command', { type: 'stop', selection: {} });
    const failed = second.call('command', { type: 'start', selection: {} });
    await expect(done).resolves.toEqual({
      outcomes: [{ service: 'shop/web', what: 'started' }],
      warnings: [],
    });
    await expect(failed).rejects.toMatchObject({
      document: { code: 'ERR0106' },
      warnings: ['careful'],
    });
    // A reply to a client of an earlier supervisor is dropped without an error.
    reply$.next({
      type: 'reply',
      request: requestId('old-1:1'),
      reply: { ok: true, done: { outcomes: [], warnings: [] } },
    });
    first.close();
    second.close();
    subscription.unsubscribe();
    await server.close();
    await rm(dataDir, { recursive: true });
  });
});

const EMPTY = { count: 0, min: 0, sum: 0, max: 0 };
const services = [serviceIn('up')];
const snapshot: Snapshot = {
  services,
  byId: lookUpIn(services),
  projects: [],
  supervisor: {
    running: true,
    pid: 1,
    version: 'x',
    since: null,
    restarts: null,
    process_start: null,
    warnings: ['careful'],
  },
  settings: DEFAULT_SETTINGS,
  dataDir: '/data',
  now: NOW,
  select: ({ services: names = [] }) =>
    names.includes('wbe')
      ? { ok: false, error: { code: 'ERR0202', name: 'wbe', known: ['web'] } }
      : { ok: true, ids: [idOf('web')] },
};

const measured: MetricsDocument = {
  schema: 'sup.metrics/1',
  supervisor: {
    pid: 1,
    version: 'x',
    since: '2026-11-21T05:30:15.123Z',
    cpu_seconds: 1,
    cpu_percent: null,
    rss_bytes: 2,
    loop_delay_ms: null,
    loop_delay_max_ms: null,
    samples_bytes: 0,
  },
  services: [],
};
const measures: Measures = {
  samples: (ids, since) => ({
    now: NOW,
    spillover: null,
    services: ids.map((id) => ({ id, points: [{ from: since, to: NOW, cpu: EMPTY, rss: EMPTY }] })),
  }),
  metrics: () => measured,
};

let dataDir: string;
let server: ControlServer;
let client: Client;
let subscription: Subscription;
let read: () => Snapshot;
const changed$ = new Subject<ServiceId>();

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sup-questions-'));
  const hello = { protocol: PROTOCOL, version: 'x', pid: 1, since: 'x' };
  server = controlServer({ socketPath: join(dataDir, 'control.sock'), hello });
  read = () => snapshot;
  const environment = { LANG: 'C' };
  const purge: Parameters<typeof questions>[0]['purge'] = ({ kinds }) =>
    kinds.map((kind) => ({ project: 'old', kind, path: `/${kind}`, aside: '/bin/0' }));
  subscription = listen(questions({ server, environment, measures, purge, read: () => read(), changed$ }));
  await server.listen();
  client = await connect(dataDir);
});
afterEach(async () => {
  subscription.unsubscribe();
  await server.close();
  await rm(dataDir, { recursive: true });
});

describe('queries of a client', () => {
  it('a query about samples is answered', async () => {
    expect(await client.call('metrics', {})).toEqual(measured);
    expect(await client.call('samples', { selection: {}, since: NOW })).toMatchObject({
      services: [{ id: idOf('web'), points: [{ from: NOW }] }],
    });
  });

  it('a query may set leftovers aside', async () => {
    expect(await client.call('purge', { kinds: ['logs'] })).toEqual({
      removed: [{ project: 'old', kind: 'logs', path: '/logs', aside: '/bin/0' }],
    });
  });

  it('a query about the inherited environment is answered', async () => {
    expect(await client.call('environment', {})).toEqual({ LANG: 'C' });
  });

  it('a query is answered from the latest state', async () => {
    const status = await client.call('status', {});
    expect(status.supervisor.warnings).toEqual(['careful']);
    expect(status.projects[0]?.services.map(({ name, state }) => [name, state])).toEqual([
      ['web', 'running'],
    ]);
    const inspected = await client.call('inspect', { services: ['web'] });
    expect(inspected.services.map(({ command }) => command)).toEqual([['/bin/sleep', '60']]);
  });

  it.each(['status', 'inspect', 'watch'] as const)(
    'a query about an unknown name is refused: %s',
    async (method) => {
      await expect(client.call(method, { services: ['wbe'] })).rejects.toMatchObject({
        document: { code: 'ERR0202', hint: 'did you mean "web"?' },
      });
    },
  );

  it('a query that meets a bug is answered with it, and the next one is answered', async () => {
    read = () => {
      throw new Error('broken view');
    };
    await expect(client.call('status', {})).rejects.toMatchObject({
      document: { code: 'ERR0001', message: 'internal error: broken view' },
    });
    read = () => snapshot;
    await expect(client.call('status', {})).resolves.toMatchObject({ schema: 'sup.status/1' });
  });

  it('a watch sends everything, then changes, once however often it was requested', async () => {
    const views: View[] = [];
    client.onView((view) => views.push(view));
    await client.call('watch', {});
    await client.call('watch', {});
    await client.call('watch', {});
    changed$.next(idOf('web'));
    await vi.waitFor(() => expect(views.map(({ full }) => full)).toEqual([true, true, true, false]), PATIENT);
    expect(changed$.observed).toBe(true);
  });

  it('a watch ends with the client', async () => {
    await client.call('watch', {});
    expect(changed$.observed).toBe(true);
    client.close();
    await vi.waitFor(() => expect(changed$.observed).toBe(false), PATIENT);
  });
});
