// Upkeep of rotated files, with readers of the real code: what they show stays the same at every step.
import { execFileSync } from 'node:child_process';
import { existsSync, linkSync, readdirSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { LogsSpec } from '../../../../src/streams/domain/declared/spec.ts';
import { ms } from '../../../../src/streams/domain/time.ts';
import { LogUpkeep } from '../../../../src/sinks/logs/file/log-upkeep.ts';
import { openOlder } from '../../../../src/sources/logs/log-files.ts';
import { readTail } from '../../../../src/sources/logs/read-backwards.ts';
import { numbered, temporary, texts, write } from '../../../cli/commands/logs/harness.ts';
import { idOf } from '../../../support/spec.ts';

const web = idOf('web');
const HOUR = 3_600_000;

interface World {
  readonly path: string;
  readonly upkeep: LogUpkeep;
  readonly troubles: readonly string[];
  readonly names: () => readonly string[];
}

const worldWith = (logs: Partial<LogsSpec>, isScarce = false): World => {
  const directory = temporary();
  const path = `${directory}/web.log`;
  const troubles: string[] = [];
  const upkeep = new LogUpkeep({
    pathOf: () => path,
    logError: (text) => void troubles.push(text),
    isScarce: () => isScarce,
  });
  onTestFinished(() => upkeep.close());
  upkeep.follow(web, { sink: 'file', ...logs });
  return { path, upkeep, troubles, names: () => readdirSync(directory).sort() };
};

const age = (path: string, hours: number): void => {
  const at = (Date.now() - hours * HOUR) / 1000;
  utimesSync(path, at, at);
};

const shown = async (path: string): Promise<readonly string[]> =>
  texts(await readTail(path, undefined, { lines: Infinity }));

describe('logs.max_age', () => {
  it('rotated files are removed when they were written too long ago, the active file never', async () => {
    const { path, upkeep, names } = worldWith({ maxAge: ms(2 * HOUR) });
    for (const [name, hours] of [
      ['', 9],
      ['.1', 1],
      ['.2.gz', 3],
      ['.3', 4],
    ] as const) {
      write(`${path}${name}`, ...numbered(1, 2));
      age(`${path}${name}`, hours);
    }
    await upkeep.round();
    expect(names()).toEqual(['web.log', 'web.log.1']);
  });
});

describe('logs.compress', () => {
  it('rotated files are compressed, the active file is not, and their times stay', async () => {
    const { path, upkeep, names } = worldWith({ compress: true });
    write(path, ...numbered(1, 2));
    write(`${path}.1`, ...numbered(10, 20));
    age(`${path}.1`, 5);
    const { mtimeMs, mode } = statSync(`${path}.1`);
    await upkeep.round();
    expect(names()).toEqual(['web.log', 'web.log.1.gz']);
    expect(statSync(`${path}.1.gz`)).toMatchObject({ mode });
    expect(Math.round(statSync(`${path}.1.gz`).mtimeMs)).toBe(Math.round(mtimeMs));
  });

  it('a compressed file is one for gzip, and tells its times and its inode before', async () => {
    const { path, upkeep } = worldWith({ compress: true });
    write(`${path}.1`, ...numbered(1, 30_000));
    const { ino } = statSync(`${path}.1`);
    const whole = execFileSync('cat', [`${path}.1`], { maxBuffer: 1e9 });
    await upkeep.round();
    expect(execFileSync('gzip', ['-dc', `${path}.1.gz`], { maxBuffer: 1e9 }).equals(whole)).toBe(true);
    const file = (await openOlder(path, 0))?.file;
    await file?.handle.close();
    const stamps = whole.toString().match(/^\S+/gm) ?? [];
    expect(file?.head).toEqual({ inode: ino, first: stamps[0], last: stamps.at(-1) });
  });

  it('a copy that a killed supervisor has left goes, also if nothing is compressed any more', async () => {
    const directory = temporary();
    const copy = `${directory}/shop/web.log.12345.gz.tmp`;
    write(`${directory}/shop/web.log`, ...numbered(1, 2));
    writeFileSync(copy, 'half');
    const ports = { pathOf: () => copy, logError: () => undefined, isScarce: () => false };
    const upkeep = new LogUpkeep({ ...ports, directory, firstAfter: 1 });
    onTestFinished(() => upkeep.close());
    upkeep.follow(web, { sink: 'file' });
    await expect.poll(() => readdirSync(`${directory}/shop`)).toEqual(['web.log']);
  });

  it('what a reader shows is the same before, after, and if the program died in between', async () => {
    const { path, upkeep, names } = worldWith({ compress: true });
    write(`${path}.2`, ...numbered(1, 1000));
    write(`${path}.1`, ...numbered(1001, 2000));
    const before = await shown(path);
    linkSync(`${path}.2`, `${path}.kept`);
    await upkeep.round();
    expect(await shown(path)).toEqual(before);
    renameSync(`${path}.kept`, `${path}.2`);
    expect(await shown(path)).toEqual(before);
    const next = new LogUpkeep({ pathOf: () => path, logError: () => undefined, isScarce: () => false });
    next.follow(web, { sink: 'file', compress: true });
    await next.round();
    await next.close();
    expect(names()).toEqual(['web.log.1.gz', 'web.log.2.gz']);
    expect(await shown(path)).toEqual(before);
  });

  it('a file that is rotated on while it is compressed keeps its place', async () => {
    const { path, upkeep, names } = worldWith({ compress: true });
    writeFileSync(`${path}.1`, numbered(1, 200_000).join(''));
    const round = upkeep.round();
    await expect.poll(() => names().some((name) => name.endsWith('.gz.tmp'))).toBe(true);
    renameSync(`${path}.1`, `${path}.2`);
    write(`${path}.1`, ...numbered(200_001, 200_002));
    await round;
    expect(names()).toEqual(['web.log.1', 'web.log.2.gz']);
  });

  it('a file that is removed while it is compressed stays removed', async () => {
    const { path, upkeep, names } = worldWith({ compress: true });
    writeFileSync(`${path}.1`, numbered(1, 200_000).join(''));
    const round = upkeep.round();
    await expect.poll(() => names().some((name) => name.endsWith('.gz.tmp'))).toBe(true);
    execFileSync('rm', [`${path}.1`]);
    await round;
    expect(names()).toEqual([]);
  });

  it('nothing is compressed while few descriptors are free', async () => {
    const { path, upkeep, names } = worldWith({ compress: true }, true);
    write(`${path}.1`, ...numbered(1, 2));
    await upkeep.round();
    expect(names()).toEqual(['web.log.1']);
  });

  it('a compression that ends with the supervisor leaves nothing incomplete', async () => {
    const { path, upkeep, names, troubles } = worldWith({ compress: true });
    writeFileSync(`${path}.1`, numbered(1, 200_000).join(''));
    const round = upkeep.round();
    await expect.poll(() => names().some((name) => name.endsWith('.gz.tmp'))).toBe(true);
    await upkeep.close();
    await round;
    expect(names()).toEqual(['web.log.1']);
    expect(troubles).toEqual([]);
  });

  it('a file that cannot be compressed is reported once and stays as it is', async () => {
    const { path, upkeep, names, troubles } = worldWith({ compress: true });
    write(`${path}.1`, ...numbered(1, 2));
    write(`${path}.2`, ...numbered(3, 4));
    const { ino } = statSync(`${path}.1`);
    execFileSync('mkdir', [`${path}.${String(ino)}.gz.tmp`]);
    execFileSync('touch', [`${path}.${String(ino)}.gz.tmp/x`]);
    await upkeep.round();
    await upkeep.round();
    expect(troubles).toHaveLength(1);
    expect(troubles[0]).toMatch(/^rotated logs of shop\/web cannot be compressed .*\(ERR0727\)$/);
    expect(upkeep.troubles()).toEqual(troubles);
    expect(names()).toContain('web.log.1');
    expect(existsSync(`${path}.1.gz`)).toBe(false);
    expect(existsSync(`${path}.2.gz`)).toBe(true);
    execFileSync('rm', ['-r', `${path}.${String(ino)}.gz.tmp`]);
    await upkeep.round();
    expect(upkeep.troubles()).toEqual([]);
    expect(names()).toEqual(['web.log.1.gz', 'web.log.2.gz']);
  });

  it('other files of the directory are left alone', async () => {
    const { path, upkeep, names } = worldWith({ maxAge: ms(HOUR) });
    for (const name of ['.1', '.2.gz', '.old', '.3x', 'x.1']) {
      write(`${path}${name}`, 'x');
      age(`${path}${name}`, 2);
    }
    await upkeep.round();
    expect(names()).toEqual(['web.log.3x', 'web.log.old', 'web.logx.1']);
  });
});
