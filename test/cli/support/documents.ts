// Documents as the supervisor sends them, with only what a test is about spelled out.
import type { EventDocument } from '../../../src/streams/wire/documents/event-document.ts';
import type {
  ProjectDocument,
  ServiceDocument,
  StatusDocument,
  SupervisorDocument,
} from '../../../src/streams/wire/documents/documents.ts';

export const NOW = Date.parse('2026-11-21T12:00:00.000Z');

export const serviceOf = (facts: Partial<ServiceDocument> = {}): ServiceDocument => ({
  name: 'web',
  kind: 'service',
  wanted: 'up',
  state: 'running',
  health: 'healthy',
  reason: null,
  error: null,
  evidence: [],
  next_step: null,
  because_of: [],
  pid: 812,
  run: 1,
  started_at: '2026-11-21T11:57:30.000Z',
  ready_at: '2026-11-21T11:57:31.000Z',
  restarts: 0,
  restarts_total: 0,
  max_restarts: 8,
  next_attempt_at: null,
  next_run_at: null,
  last_exit: null,
  last_failure: null,
  awaits_restart: false,
  cpu_percent: null,
  rss_bytes: null,
  slot: null,
  rollout: null,
  deploy: { failed: false, error: null, at: null, rolled_back: false },
  ...facts,
});

export const projectOf = (services: readonly ServiceDocument[], id = 'shop'): ProjectDocument => ({
  id,
  name: id,
  manifest: '/srv/sup.yaml',
  services,
});

export const statusOf = (
  projects: readonly ProjectDocument[],
  supervisor: Partial<SupervisorDocument> = {},
): StatusDocument => ({
  schema: 'sup.status/1',
  supervisor: {
    running: true,
    pid: 4,
    version: '0.1.0',
    since: '2026-11-21T11:00:00.000Z',
    restarts: 0,
    process_start: 'posix_spawn',
    warnings: [],
    ...supervisor,
  },
  projects,
});

export const eventOf = (facts: Partial<EventDocument> = {}): EventDocument => ({
  schema: 'sup.event/1',
  at: '2026-11-21T12:00:00.000Z',
  kind: 'state',
  project: 'shop',
  service: 'web',
  child: null,
  from: 'starting',
  to: 'running',
  health: 'unknown',
  run: 1,
  pid: null,
  cause: 'alive',
  reason: null,
  code: null,
  because_of: [],
  rollout: null,
  ...facts,
});
