import { describe, expect, it } from 'vitest';
import { loadText, mistakesOf, serviceWith, wrongWith } from '../loading.ts';

describe('the key logs', () => {
  it.each([
    ['7d', 604_800_000],
    ['36h', 129_600_000],
    ['60', 60_000],
  ])('logs accept the max_age %s, and compress', (age, maxAge) => {
    expect(serviceWith(`logs: { max_age: ${age}, compress: true }`).logs).toEqual({
      sink: 'file',
      maxAge,
      compress: true,
    });
  });

  it.each(['0d', '1.5d', '-1d', '1w'])('logs refuse the max_age %s', (age) => {
    expect(wrongWith(`logs: { max_age: ${age} }`)).toEqual([
      expect.stringMatching(/^ERR0210 logs\.max_age: /),
    ]);
  });

  it('logs accept sink, max_bytes and max_files', () => {
    expect(serviceWith('logs: { sink: none, max_bytes: 1K, max_files: 3 }').logs).toEqual({
      sink: 'none',
      maxBytes: 1024,
      maxFiles: 3,
    });
  });

  it('logs merge field by field: service over project over root', () => {
    const { manifest } = loadText(`version: 2
logs: { sink: none, max_bytes: 1K, max_files: 1 }
projects:
  a:
    logs: { max_bytes: 2K, max_files: 2 }
    services:
      x: { command: x, logs: { max_files: 3 } }
      y: { command: y }
services:
  z: { command: z }
`);
    expect(manifest?.services.map(({ logs }) => logs)).toEqual([
      { sink: 'none', maxBytes: 2048, maxFiles: 3 },
      { sink: 'none', maxBytes: 2048, maxFiles: 2 },
      { sink: 'none', maxBytes: 1024, maxFiles: 1 },
    ]);
  });

  it.each([
    ['logs: { sink: tape }', 'ERR0213 logs.sink: "tape" is not one of file, none'],
    ['logs: { max_files: -1 }', 'ERR0213 logs.max_files: -1 is not a whole number from 0 to 10000'],
  ])('logs refuse %s', (fields, told) => {
    expect(wrongWith(fields)).toEqual([told]);
  });
});

const metricsOf = (fields: string) => loadText(`version: 2\nmetrics: { ${fields} }`).manifest?.metrics;

describe('the key metrics', () => {
  it('metrics have the documented defaults', () => {
    expect(metricsOf('')).toEqual({
      retentionMinutes: 720,
      sampleIntervalSecs: 1,
      maxMemoryBytes: 10_485_760,
    });
  });

  it('metrics accept retention_minutes, max_memory_bytes and the spillover keys', () => {
    expect(
      metricsOf(
        'retention_minutes: 5, max_memory_bytes: 1M, spillover_path: /var/m, spillover_max_bytes: 2M, spillover_segment_bytes: 1K',
      ),
    ).toEqual({
      retentionMinutes: 5,
      sampleIntervalSecs: 1,
      maxMemoryBytes: 1_048_576,
      spilloverPath: '/var/m',
      spilloverMaxBytes: 2_097_152,
      spilloverSegmentBytes: 1024,
    });
  });

  it.each([
    [0, 1],
    [60, 60],
    [61, 60],
    [0.5, 1],
    [1.5, 1.5],
  ])('metrics clamp sample_interval_secs %d to %d', (given, used) => {
    expect(metricsOf(`sample_interval_secs: ${given}`)?.sampleIntervalSecs).toBe(used);
  });

  it('metrics refuse other values', () => {
    const { problems } = loadText('version: 2\nmetrics: { retention_minutes: -1, max_memory_bytes: x }');
    expect(mistakesOf(problems)).toEqual([
      'ERR0213 metrics.retention_minutes: -1 is not a whole number, 0 or more',
      'ERR0210 metrics.max_memory_bytes: "x" is not a whole number, or a number with K, M, G or T',
    ]);
  });
});

const statusOf = (fields: string) => loadText(`version: 2\nstatus: { ${fields} }`).manifest?.status;

describe('the key status', () => {
  it('status is absent unless declared, and has defaults when it is', () => {
    expect(loadText('version: 2').manifest?.status).toBeUndefined();
    expect(statusOf('')).toEqual({ snapshotMode: 'summary', snapshotIntervalSecs: 5 });
  });

  it.each(['off', 'summary', 'detailed'])('status accepts snapshot_mode %s', (mode) => {
    expect(statusOf(`snapshot_mode: ${mode}`)?.snapshotMode).toBe(mode);
  });

  it.each([
    [0, 1],
    [1, 1],
    [300, 300],
    [301, 300],
    [-5, 1],
    [0.25, 1],
    [2.5, 2.5],
    [300.5, 300],
  ])('status clamps snapshot_interval_secs %d to %d', (given, used) => {
    expect(statusOf(`snapshot_interval_secs: ${given}`)?.snapshotIntervalSecs).toBe(used);
  });

  it('status refuses other values', () => {
    const { problems } = loadText(
      'version: 2\nstatus: { snapshot_mode: full, snapshot_interval_secs: often }',
    );
    expect(mistakesOf(problems)).toEqual([
      'ERR0213 status.snapshot_mode: "full" is not one of off, summary, detailed',
      'ERR0213 status.snapshot_interval_secs: "often" is not a number',
    ]);
  });
});
