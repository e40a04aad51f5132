import { describe, expect, it } from 'vitest';
import { CONTENT_TYPE, openMetrics } from '../../../src/sinks/metrics/open-metrics.ts';
import type {
  MeasuredService,
  MetricsDocument,
} from '../../../src/streams/wire/documents/metrics-documents.ts';
import { readOpenMetrics } from './strict-open-metrics.ts';

const service: MeasuredService = {
  project: 'shop',
  service: 'web',
  state: 'breaker-open',
  up: false,
  health: 'unknown',
  restarts_total: 8,
  cpu_percent: 250,
  rss_bytes: 4096,
  probe_ms: 12.5,
  log_bytes: 100,
};
const document = (...services: readonly MeasuredService[]): MetricsDocument => ({
  schema: 'sup.metrics/1',
  supervisor: {
    pid: 7,
    version: '1"2\\3\n4',
    since: '2026-11-21T05:30:15.123Z',
    cpu_seconds: 1.25,
    cpu_percent: null,
    rss_bytes: 1e8,
    loop_delay_ms: null,
    loop_delay_max_ms: 3,
    samples_bytes: 0,
  },
  services,
});

const valueOf = (name: string, from: MetricsDocument): readonly number[] =>
  readOpenMetrics(openMetrics(from))
    .filter((series) => series.name === name)
    .map(({ value }) => value);

describe('OpenMetrics text', () => {
  it('the OpenMetrics text is strict, with any version and without services', () => {
    const series = readOpenMetrics(openMetrics(document()));
    expect(series.find(({ name }) => name === 'sup_supervisor_info')?.labels).toEqual({
      version: '1"2\\3\n4',
    });
    expect(CONTENT_TYPE).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8');
  });

  it('OpenMetrics values are in seconds, bytes and fractions of one', () => {
    const one = document(service);
    expect(valueOf('sup_service_cpu_ratio', one)).toEqual([2.5]);
    expect(valueOf('sup_service_probe_duration_seconds', one)).toEqual([0.0125]);
    expect(valueOf('sup_service_restarts_total', one)).toEqual([8]);
    expect(valueOf('sup_supervisor_start_time_seconds', one)).toEqual([1795239015.123]);
    expect(valueOf('sup_supervisor_loop_delay_max_seconds', one)).toEqual([0.003]);
  });

  it('OpenMetrics text leaves out unknown values', () => {
    const unknown = { ...service, cpu_percent: null, rss_bytes: null, probe_ms: null, log_bytes: null };
    for (const name of ['cpu_ratio', 'memory_bytes', 'probe_duration_seconds', 'log_bytes', 'healthy'])
      expect(valueOf(`sup_service_${name}`, document(unknown))).toEqual([]);
    expect(valueOf('sup_supervisor_loop_delay_seconds', document())).toEqual([]);
    expect(valueOf('sup_service_healthy', document({ ...service, health: 'unhealthy' }))).toEqual([0]);
  });

  it('OpenMetrics text has each service in exactly one state', () => {
    const two = document(service, { ...service, service: 'db', state: 'running', up: true });
    const series = readOpenMetrics(openMetrics(two)).filter(({ name }) => name === 'sup_service_state');
    expect(series).toHaveLength(26);
    expect(series.filter(({ value }) => value === 1).map(({ labels }) => labels)).toEqual([
      { project: 'shop', service: 'web', state: 'breaker-open' },
      { project: 'shop', service: 'db', state: 'running' },
    ]);
  });
});

describe('the strict reader', () => {
  it.each([
    ['a 1\n', 'does not end'],
    ['# TYPE a gauge\nb 1\n# EOF\n', 'does not belong'],
    ['# TYPE a counter\na 1\n# EOF\n', 'does not belong'],
    ['# TYPE a gauge\na 1\na 2\n# EOF\n', 'twice'],
    ['# TYPE a gauge\na{b="\\x"} 1\n# EOF\n', 'not labels'],
    ['# TYPE a gauge\n\na 1\n# EOF\n', 'not a line'],
    ['# TYPE a gauge\n# TYPE b gauge\n# HELP a x\n# EOF\n', 'comes apart'],
  ])('the strict reader refuses %j', (text, why) => expect(() => readOpenMetrics(text)).toThrow(why));
});
