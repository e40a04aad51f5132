import { describe, expect, it } from 'vitest';
import type { Service } from '../../../src/streams/domain/service/service.ts';
import { DEFAULT_SETTINGS } from '../../../src/streams/domain/declared/settings.ts';
import { instant, ms } from '../../../src/streams/domain/time.ts';
import { inspectDocument } from '../../../src/streams/views/inspect-document.ts';
import { lookUpIn, type Snapshot } from '../../../src/streams/views/state-snapshot.ts';
import { needs, specOf } from '../../support/spec.ts';
import { NOW, serviceIn } from '../../support/states.ts';

const web: Service = {
  ...serviceIn('up'),
  spec: specOf('web', {
    dependsOn: needs('db'),
    launch: { tag: 'shell', command: 'serve' },
    env: { vars: { B: '1', A: 'secret' }, inherit: false, clearSession: true, strip: [] },
    hooks: { onerr: { command: 'x' }, 'on_stop.error': { command: 'y' } },
    logs: { sink: 'file', maxBytes: 5 },
    deployment: {
      strategy: 'immediate',
      gracePeriod: ms(0),
      healthCheck: {
        probe: { tag: 'http', url: 'http://localhost/' },
        interval: ms(2000),
        startInterval: ms(100),
        attemptTimeout: ms(30_000),
        totalTimeout: ms(0),
        retries: 3,
      },
    },
  }),
  history: [
    { at: instant(0), from: 'down', to: 'waiting', cause: 'start' },
    { at: instant(1), from: 'waiting', to: 'spawning', cause: 'admit' },
    { at: instant(2), from: 'spawning', to: 'starting', cause: 'spawned' },
    { at: instant(3), from: 'starting', to: 'down', down: 'completed', cause: 'surveyed' },
    { at: instant(4), from: 'down', to: 'waiting', cause: 'start' },
  ],
  schedule: {
    runs: [
      // This time came due while the run below was queued.
      { due: instant(5), result: 'overlap' },
      {
        ...{ due: instant(0), result: 'failure', endedAt: instant(2) },
        ...{ exit: { tag: 'signal', signal: 'SIGKILL' }, exitedAt: instant(1) },
      },
    ],
  },
};
const db: Service = { ...serviceIn('up'), spec: specOf('db', { logs: { sink: 'none' } }) };
const services = [web, db];

const inspect = (
  service: string,
  read: Pick<Snapshot, 'readings' | 'profiles'> = {},
): ReturnType<typeof inspectDocument> =>
  inspectDocument({
    services,
    byId: lookUpIn(services),
    supervisor: {
      running: true,
      pid: 1,
      version: 'x',
      since: null,
      restarts: null,
      process_start: null,
      warnings: [],
    },
    settings: DEFAULT_SETTINGS,
    dataDir: '/data',
    now: NOW,
    ...read,
    selection: { services: [service] },
  });

describe('the inspect document', () => {
  it('the inspect document says how the manifest was read, except for one file without profiles', () => {
    const { manifest, id } = web.spec;
    const read = {
      readings: { [manifest]: { files: ['/shop/prod.yaml'], profiles: ['dev', 'debug'] } },
      profiles: { [manifest]: [{ service: id, profiles: ['dev', 'test'] }] },
    };
    expect(inspect('web', read).services[0]).toMatchObject({
      profiles: ['dev', 'test'],
      chosen_profiles: ['dev', 'debug'],
      manifest_files: [manifest, '/shop/prod.yaml'],
    });
    const plain = Object.keys(inspect('web').services[0] ?? {});
    expect(plain.filter((key) => /profile|files/.test(key))).toEqual([]);
  });

  it('the inspect document has the declaration and the facts of the service, and no values of variables', () => {
    const document = inspect('web');
    expect(document.services).toHaveLength(1);
    expect(document.services[0]).toMatchObject({
      name: 'web',
      state: 'running',
      project: 'shop',
      command: 'serve',
      working_dir: '/shop',
      depends_on: [{ service: 'db', condition: 'started' }],
      dependents: [],
      env_keys: ['A', 'B'],
      logs: { sink: 'file', file: '/data/logs/shop/web.log', max_bytes: 5, max_files: 5 },
      health_check: {
        url: 'http://localhost/',
        interval_ms: 2000,
        start_interval_ms: 100,
        after_ready_ms: 2000,
        attempt_timeout_ms: 30_000,
        total_timeout_ms: 0,
        retries: 3,
      },
      hooks: ['on_stop.error', 'onerr'],
      history: [
        // In public states. A change between two internal states of one public state is left out.
        {
          at: '1970-01-01T00:00:00.000Z',
          from: 'stopped',
          to: 'waiting',
          cause: 'start',
          reason: 'start requested',
        },
        {
          at: '1970-01-01T00:00:00.001Z',
          from: 'waiting',
          to: 'starting',
          cause: 'admit',
          reason: 'dependencies are ready',
        },
        {
          at: '1970-01-01T00:00:00.003Z',
          from: 'starting',
          to: 'done',
          cause: 'surveyed',
          reason: 'all its processes are gone',
        },
        {
          at: '1970-01-01T00:00:00.004Z',
          from: 'done',
          to: 'waiting',
          cause: 'start',
          reason: 'start requested',
        },
      ],
      cron_runs: [
        {
          result: 'failure',
          exit: { code: null, signal: 'SIGKILL', success: false, at: '1970-01-01T00:00:00.001Z' },
        },
        { result: 'overlap', exit: null, ended_at: null },
      ],
      skipped_isolation: [],
    });
    expect(JSON.stringify(document)).not.toContain('secret');
  });

  it('the inspect document has a program with arguments, its dependents, and no log if there is none', () => {
    expect(inspect('shop/db').services[0]).toMatchObject({
      command: ['/bin/sleep', '60'],
      dependents: ['web'],
      logs: { sink: 'none', file: null },
      health_check: null,
    });
  });
});
