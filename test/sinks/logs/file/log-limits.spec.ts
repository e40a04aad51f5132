// Which rotated files exceed limits; and the limit for all logs together, on real files of two projects.
import { mkdirSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { LogUpkeep } from '../../../../src/sinks/logs/file/log-upkeep.ts';
import type { LogFile } from '../../../../src/sinks/logs/file/find-log-files.ts';
import { exceeding } from '../../../../src/sinks/logs/file/log-limits.ts';
import { logNameOf } from '../../../../src/streams/wire/log-file-names.ts';
import { temporary } from '../../../cli/commands/logs/harness.ts';
import { idOf } from '../../../support/spec.ts';

const file = (name: string, at: number, bytes = 10): LogFile => ({
  ...(logNameOf(name) ?? { log: name, kind: 'active', number: 0 }),
  ...{ path: name, at, bytes, inode: at },
});
const LOGS = [
  [file('a.log', 9), file('a.log.1', 5), file('a.log.2.gz', 1)],
  [file('b.log', 1), file('b.log.1', 3), file('b.log.5.gz.tmp', 1, 0)],
];

describe('rotated files that exceed limits', () => {
  it.each([
    [{ maxAge: 6 }, ['a.log.2.gz', 'b.log.1']],
    [{ maxBytes: 40 }, ['a.log.2.gz']],
    [{ maxBytes: 0 }, ['a.log.2.gz', 'b.log.1', 'a.log.1']],
    [{ maxAge: 8, maxBytes: 30 }, ['a.log.2.gz', 'b.log.1']],
    [{ maxAge: 100, maxBytes: 50 }, []],
    [{}, []],
  ])('of the limits %j, rotated files only are removed, oldest first', (limits, gone) => {
    expect(exceeding(LOGS, limits, 10).map(({ path }) => path)).toEqual(gone);
  });
});

const worldWith = (bytes: number) => {
  const directory = temporary();
  const told: string[] = [];
  const removals: string[] = [];
  const upkeep = new LogUpkeep({
    pathOf: () => `${directory}/shop/web.log`,
    logError: (text) => void told.push(text),
    onRemoved: (text) => void removals.push(text),
    isScarce: () => false,
    directory,
    budget: () => bytes,
  });
  onTestFinished(() => upkeep.close());
  for (const project of ['shop', 'gone']) mkdirSync(`${directory}/${project}`);
  return {
    directory,
    ...{ upkeep, told, removals },
    /** Writes 1,000 bytes into a file that was last written so many minutes ago. */
    put: (name: string, minutes: number): void => {
      writeFileSync(`${directory}/${name}`, 'x'.repeat(1000));
      const at = Date.now() / 1000 - minutes * 60;
      utimesSync(`${directory}/${name}`, at, at);
    },
    names: (project: string) => readdirSync(`${directory}/${project}`).sort(),
  };
};

it('the oldest rotated files of all services are removed until the limit is kept, active files never', async () => {
  const { put, upkeep, names, removals, told } = worldWith(4000);
  put('shop/web.log', 99);
  put('shop/web.log.1', 1);
  put('shop/web.log.2.gz', 5);
  put('gone/old.log', 98);
  put('gone/old.log.1', 4);
  put('gone/old.log.2', 6);
  await upkeep.round();
  expect(names('shop')).toEqual(['web.log', 'web.log.1']);
  expect(names('gone')).toEqual(['old.log', 'old.log.1']);
  expect(removals).toHaveLength(1);
  expect(removals[0]).toMatch(/logs\/total_max_bytes.*gone\/old\.log\.2, shop\/web\.log\.2\.gz$/);
  await upkeep.round();
  expect([removals.length, told, upkeep.troubles()]).toEqual([1, [], []]);
});

it('within a log the highest number goes first, even if its file was written later', async () => {
  const { put, upkeep, names } = worldWith(1000);
  put('shop/web.log.1', 9);
  put('shop/web.log.2', 1);
  await upkeep.round();
  expect(names('shop')).toEqual(['web.log.1']);
});

it('if active files alone exceed the limit, it is said once and shown until they do not', async () => {
  const { put, directory, upkeep, names, told } = worldWith(1500);
  put('shop/web.log', 1);
  put('gone/old.log', 1);
  put('gone/old.log.1', 1);
  await upkeep.round();
  await upkeep.round();
  expect(names('gone')).toEqual(['old.log']);
  expect(told).toEqual([expect.stringMatching(/more than .*total_max_bytes.*no rotated file is left/)]);
  expect(upkeep.troubles()).toEqual(told);
  writeFileSync(`${directory}/shop/web.log`, '');
  await upkeep.round();
  expect(upkeep.troubles()).toEqual([]);
});

it('links, foreign names, and what is beside the projects are left alone and not counted', async () => {
  const { put, directory, upkeep, names, removals } = worldWith(100);
  put('shop/web.log.bak', 9);
  put('supervisor-2026.log', 9);
  symlinkSync(`${directory}/supervisor-2026.log`, `${directory}/shop/web.log.7`);
  await upkeep.round();
  expect(names('shop')).toEqual(['web.log.7', 'web.log.bak']);
  expect(removals).toEqual([]);
});

it('without a limit nothing is read and nothing is removed', async () => {
  const { put, upkeep, names } = worldWith(0);
  put('shop/web.log.1', 9);
  upkeep.follow(idOf('web'), { sink: 'file' });
  await upkeep.round();
  expect(names('shop')).toEqual(['web.log.1']);
});

it('a logs directory that is missing has no files', async () => {
  const { directory, upkeep, told } = worldWith(100);
  rmSync(directory, { recursive: true });
  await upkeep.round();
  expect(told).toEqual([]);
});
