import { describe, expect, it } from 'vitest';
import { loadText, mistakesOf } from '../loading.ts';

const statusOf = (fields: string) => loadText(`version: 2\nstatus: { ${fields} }`).manifest?.status;

describe('status', () => {
  it('is absent when it is not declared, and has defaults when it is', () => {
    expect(loadText('version: 2').manifest?.status).toBeUndefined();
    expect(statusOf('')).toEqual({ snapshotMode: 'summary', snapshotIntervalSecs: 5 });
  });

  it.each(['off', 'summary', 'detailed'])('takes snapshot_mode %s', (mode) => {
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
  ])('clamps snapshot_interval_secs %d to %d', (given, used) => {
    expect(statusOf(`snapshot_interval_secs: ${given}`)?.snapshotIntervalSecs).toBe(used);
  });

  it('refuses other values', () => {
    const { problems } = loadText(
      'version: 2\nstatus: { snapshot_mode: full, snapshot_interval_secs: often }',
    );
    expect(mistakesOf(problems)).toEqual([
      'ERR0213 status.snapshot_mode: "full" is not one of off, summary, detailed',
      'ERR0213 status.snapshot_interval_secs: "often" is not a number',
    ]);
  });
});
