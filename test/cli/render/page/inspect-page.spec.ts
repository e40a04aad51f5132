import { describe, expect, it } from 'vitest';
import { inspectLines } from '../../../../src/cli/render/page/inspect-page.ts';
import { paintOf } from '../../../../src/streams/views/words/paint.ts';
import type { InspectedService } from '../../../../src/streams/wire/documents/documents.ts';
import { NOW, serviceOf, statusOf } from '../../support/documents.ts';

const STATIC: InspectedService['spawn'] = {
  mode: 'static',
  limits: {
    ...{ children: 100, depth: 3, descendants: 500, total_memory_bytes: null },
    termination_policy: 'cascade',
  },
  counts: { children: 0, depth: 0, descendants: 0, total_memory_bytes: null },
  children: [],
  ended: [],
};

const inspected: InspectedService = {
  ...serviceOf({
    state: 'backoff',
    health: 'unknown',
    pid: null,
    restarts: 2,
    restarts_total: 2,
    reason: 'exited with 1; attempt 3 of 8 in 1.5 s',
    last_exit: { code: null, signal: 'SIGKILL', success: false, at: '2026-11-21T11:59:50.000Z' },
    rss_bytes: 3_670_016,
  }),
  project: 'shop',
  command: ['node', 'my server.js'],
  working_dir: '/srv',
  depends_on: [{ service: 'db', condition: 'started', required: true }],
  dependents: [],
  env_keys: ['PORT'],
  logs: { sink: 'none', file: null, max_bytes: 0, max_files: 0 },
  health_check: {
    ...{ url: 'http://localhost:80/', interval_ms: 2_000, start_interval_ms: 100 },
    ...{ attempt_timeout_ms: 30_000, total_timeout_ms: 60_000, retries: 3 },
  },
  hooks: [],
  history: [
    { at: '2026-11-21T11:59:50.000Z', from: 'running', to: 'backoff', cause: 'exited', reason: null },
  ],
  rollouts: [],
  cron_runs: [
    {
      due_at: '2026-11-21T11:00:00.000Z',
      result: 'success',
      started_at: null,
      ended_at: null,
      exit: { code: 0, signal: null, success: true, at: '2026-11-21T11:00:01.000Z' },
      peak_memory_bytes: 1024,
    },
  ],
  skipped_isolation: [],
  listening: [],
  spawn: STATIC,
  processes: null,
  samples: null,
};

describe('the page of a service', () => {
  it('the page of a service shows what it is, its state and its history, and leaves out the unknown', () => {
    const { supervisor } = statusOf([]);
    const document = { schema: 'sup.inspect/1', supervisor, services: [inspected] } as const;
    expect(inspectLines(document, { paint: paintOf(false), now: NOW, columns: undefined })).toEqual([
      'shop/web  backoff  unknown, wanted up',
      '  reason        exited with 1; attempt 3 of 8 in 1.5 s',
      '  started       2026-11-21T11:57:30.000Z (2 min 30 s ago)',
      '  ready         2026-11-21T11:57:31.000Z (2 min 29 s ago)',
      '  restarts      2 of 8; 2 since it is known',
      '  last exit     killed by SIGKILL, 2026-11-21T11:59:50.000Z (10 s ago)',
      '  memory        3.5 MiB',
      '  command       "node" "my server.js"',
      '  directory     /srv',
      '  depends on    db (started)',
      '  health check  http://localhost:80/ every 2 s; attempt_timeout 30 s, retries 3, total_timeout 1 min',
      '  variables     PORT',
      '  log           none (sink none)',
      '  history',
      '    2026-11-21T11:59:50.000Z  running → backoff  exited',
      '  runs',
      '    2026-11-21T11:00:00.000Z  success (exited with 0), peak 1.0 KiB',
    ]);
  });

  it('the page of a service with liveness shows what is asked once it is ready', () => {
    const { supervisor } = statusOf([]);
    const check = {
      log: 'ready',
      total_timeout_ms: 90_000,
      liveness_tcp: '6379',
      liveness_interval_ms: 10_000,
      liveness_attempt_timeout_ms: 2_000,
      liveness_retries: 4,
      liveness_on_failure: 'stop',
    };
    const lines = inspectLines(
      { schema: 'sup.inspect/1', supervisor, services: [{ ...inspected, health_check: check }] },
      { paint: paintOf(false), now: NOW, columns: undefined },
    );
    expect(lines.slice(10, 12)).toEqual([
      '  health check  a line that matches ready, within 1 min 30 s',
      '  liveness      tcp 6379 every 10 s; attempt_timeout 2 s, retries 4, on_failure stop',
    ]);
  });

  it.each([
    [
      {
        health_check: {
          notify: 'true',
          total_timeout_ms: 90_000,
          liveness_watchdog_ms: 2_000,
          liveness_on_failure: 'stop',
        },
      },
      '  liveness      WATCHDOG=1 from the service, within 2 s; on_failure stop',
    ],
    [
      { depends_on: [{ service: 'db', condition: 'started', required: false }] },
      '  depends on    db (started, not required)',
    ],
    [{ profiles: ['dev', 'test'], chosen_profiles: ['dev'] }, '  profiles      dev, test (chosen: dev)'],
    [
      { manifest_files: ['/srv/sup.yaml', '/srv/prod.yaml'] },
      '  read from     /srv/sup.yaml, /srv/prod.yaml',
    ],
    [{ declared: { max_memory: '512', stop_command: 'pg stop' } }, '    max_memory: 512'],
  ] as readonly (readonly [Partial<InspectedService>, string])[])(
    'the page of a service shows what it declares: %j',
    (changes, line) => {
      const { supervisor } = statusOf([]);
      const lines = inspectLines(
        { schema: 'sup.inspect/1', supervisor, services: [{ ...inspected, ...changes }] },
        { paint: paintOf(false), now: NOW, columns: undefined },
      );
      expect(lines).toContain(line);
    },
  );

  it('pages of several services follow each other', () => {
    const { supervisor } = statusOf([]);
    const services = [inspected, { ...inspected, name: 'api' }];
    const lines = inspectLines(
      { schema: 'sup.inspect/1', supervisor, services },
      { paint: paintOf(false), now: NOW, columns: undefined },
    );
    expect(lines.filter((line) => !line.startsWith(' '))).toEqual([
      'shop/web  backoff  unknown, wanted up',
      '',
      'shop/api  backoff  unknown, wanted up',
    ]);
  });
});
