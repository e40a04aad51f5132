import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { from, lastValueFrom } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { spill } from '../../../src/sinks/metrics/write-samples.ts';
import { readSpilled } from '../../../src/sources/metrics/spilled-samples.ts';
import { instant } from '../../../src/streams/domain/time.ts';
import type { DiskPlace } from '../../../src/streams/metrics/sample-files.ts';
import type { Spilled } from '../../../src/streams/metrics/spilling.ts';
import { idOf } from '../../streams/metrics/support.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'sup-spill-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const due = (at: number): readonly Spilled[] => {
  const amount = { count: 1, min: at, sum: at, max: at };
  return [[idOf('web'), { from: instant(at), to: instant(at), cpu: amount, rss: amount }]];
};

const write = async (place: Partial<DiskPlace>, ...times: readonly number[]): Promise<readonly string[]> => {
  const told: string[] = [];
  const whole = { directory: join(directory, 'm'), maxBytes: 1_000, segmentBytes: 200, ...place };
  const ports = { place: () => whole, logError: (text: string) => void told.push(text) };
  const { run$, flush } = spill(from(times.map(due)), ports);
  await lastValueFrom(run$, { defaultValue: undefined });
  await flush();
  return told;
};

const files = (): readonly string[] => readdirSync(join(directory, 'm')).toSorted();
const read = (since = 0, names = ['web']) =>
  readSpilled(join(directory, 'm'), instant(since), new Set(names.map(idOf)));

describe('spilled samples', () => {
  it('samples on disk are read for the requested time and services', async () => {
    expect(await write({}, 1, 2, 3)).toEqual([]);
    expect(statSync(join(directory, 'm')).mode & 0o777).toBe(0o700);
    const { of: found, warnings } = await read(2);
    expect([found.get(idOf('web'))?.map(({ from: at }) => at), warnings]).toEqual([[2, 3], []]);
    expect((await read(0, ['db'])).of.size).toBe(0);
  });

  it('samples on disk never exceed their limit: the oldest are removed', async () => {
    await write({}, ...Array.from({ length: 100 }, (_, at) => at));
    const bytes = files().map((name) => statSync(join(directory, 'm', name)).size);
    expect(bytes.reduce((a, b) => a + b, 0)).toBeLessThanOrEqual(1_000);
    expect(Math.max(...bytes)).toBeLessThanOrEqual(200);
    const { of: found } = await read();
    expect(found.get(idOf('web'))?.at(-1)?.from).toBe(99);
  });

  it('a broken file of samples loses its broken lines with a warning; a line under way is no warning', async () => {
    await write({}, 1, 2);
    const [name = ''] = files();
    const file = join(directory, 'm', name);
    writeFileSync(file, readFileSync(file, 'utf8').replace('"', '\0'));
    appendFileSync(file, '["shop/web",3');
    const { of: found, warnings } = await read();
    expect(found.get(idOf('web'))?.map(({ from: at }) => at)).toEqual([2]);
    expect(warnings).toEqual([expect.stringContaining('1 of 2 lines are not samples')]);
  });

  it('missing samples are empty, and a file in place of the directory is a warning', async () => {
    expect(await read()).toEqual({ of: new Map(), warnings: [] });
    writeFileSync(join(directory, 'm'), '');
    expect((await read()).warnings).toHaveLength(1);
  });

  it('samples that cannot be written are reported once, until they can be again', async () => {
    expect(await write({ directory: '/dev/full/m' }, 1, 2, 3)).toEqual([
      expect.stringContaining('samples are not kept in /dev/full/m'),
    ]);
    expect(await write({ maxBytes: 10 }, 1)).toEqual([expect.stringContaining('more than 10 bytes')]);
  });
});
