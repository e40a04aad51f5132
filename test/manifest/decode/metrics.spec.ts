import { describe, expect, it } from 'vitest';
import { loadText, mistakesOf } from '../loading.ts';

const metricsOf = (fields: string) => loadText(`version: 2\nmetrics: { ${fields} }`).manifest?.metrics;

describe('metrics', () => {
  it('has the defaults of the documentation', () => {
    expect(metricsOf('')).toEqual({
      retentionMinutes: 720,
      sampleIntervalSecs: 1,
      maxMemoryBytes: 10_485_760,
    });
  });

  it('takes retention_minutes, max_memory_bytes and the spillover keys', () => {
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
  ])('clamps sample_interval_secs %d to %d', (given, used) => {
    expect(metricsOf(`sample_interval_secs: ${given}`)?.sampleIntervalSecs).toBe(used);
  });

  it('refuses other values', () => {
    const { problems } = loadText('version: 2\nmetrics: { retention_minutes: -1, max_memory_bytes: x }');
    expect(mistakesOf(problems)).toEqual([
      'ERR0213 metrics.retention_minutes: -1 is not a whole number, 0 or more',
      'ERR0210 metrics.max_memory_bytes: "x" is not a whole number, or a number with K, M, G or T',
    ]);
  });
});
