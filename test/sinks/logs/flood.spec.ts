// What a service can do to its log by printing as much as it likes.
// Needs the native addon.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bench, logPath, run, shell, specOf, unstamped, WEB } from './harness.ts';

describe('a flood of output', () => {
  it('a flood of 200,000 lines is rotated without a lost, doubled or torn line', async () => {
    const { dataDir, capture } = bench();
    const maxBytes = 100_000;
    await run(capture, shell('seq 1 200000'), specOf(WEB, { sink: 'file', maxBytes, maxFiles: 1000 }));
    const path = logPath(dataDir);
    const rotated = readdirSync(dirname(path)).length - 1;
    const files = Array.from({ length: rotated }, (_, at) => `${path}.${String(rotated - at)}`);
    expect([...files, path].flatMap(unstamped)).toEqual(
      Array.from({ length: 200_000 }, (_, at) => `stdout ${String(at + 1)}`),
    );
    expect(Math.max(...files.map((file) => statSync(file).size))).toBeLessThanOrEqual(maxBytes);
    expect(Math.min(...files.map((file) => statSync(file).size))).toBeGreaterThan(maxBytes - 50);
  });

  it('a flood keeps exactly max_files rotated files', async () => {
    const { dataDir, capture } = bench();
    await run(capture, shell('seq 1 50000'), specOf(WEB, { sink: 'file', maxBytes: 10_000, maxFiles: 3 }));
    const path = logPath(dataDir);
    expect(readdirSync(dirname(path)).sort()).toEqual(['web.log', 'web.log.1', 'web.log.2', 'web.log.3']);
    const last = ['.3', '.2', '.1', ''].flatMap((suffix) => unstamped(`${path}${suffix}`));
    expect(last.at(-1)).toBe('stdout 50000');
    const first = Number(last[0]?.slice(7));
    expect(last).toEqual(Array.from({ length: 50_001 - first }, (_, at) => `stdout ${String(first + at)}`));
  });

  it('a flood of 100 MB without a newline is written in marked parts and never held in memory', async () => {
    const { dataDir, capture } = bench();
    const before = process.memoryUsage().rss;
    let most = before;
    const watching = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 10);
    await run(capture, shell('head -c 100000000 /dev/zero | tr "\\0" x'));
    clearInterval(watching);
    expect(most - before).toBeLessThan(60_000_000);
    const log = readFileSync(logPath(dataDir));
    const parts = Math.ceil(100_000_000 / 65_536);
    expect(log.length).toBe(100_000_000 + parts * 36 + parts - 1);
    const ends = log.subarray(log.lastIndexOf(10, log.length - 2) + 29, log.length - 1).toString();
    expect(ends).toBe(`stdout ${'x'.repeat(100_000_000 % 65_536)}`);
    expect(capture.tail(WEB, 1)[0]).toBe('x'.repeat(512));
  });
});
