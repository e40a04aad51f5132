import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { lastValueFrom, of } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { supervisorLog } from '../../../src/sinks/logs/supervisor-log.ts';
import { LOOSE, serviceId } from '../../../src/streams/domain/ids.ts';
import type { EffectOf } from '../../../src/streams/domain/effect.ts';
import { turns } from '../../support/turns.ts';
import { temporary, until, WEB } from './harness.ts';

const visible = (dir: string): string[] => readdirSync(dir).filter((name) => !name.startsWith('.'));
const logged = (dir: string): string =>
  visible(dir)
    .map((name) => readFileSync(`${dir}/${name}`, 'utf8'))
    .join('');
/** Copies the log and replaces it, instead of truncating it in place. */
const replaceFile = (path: string): void => {
  unlinkSync(path);
  writeFileSync(path, '');
};
/** How often this process has the file open. */
const descriptorsOf = (path: string): number =>
  readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`) === path;
    } catch {
      return false;
    }
  }).length;
const today = (): string => `supervisor-${new Date().toISOString().slice(0, 10)}.log`;

describe('the log of the supervisor', () => {
  it('each note of the supervisor is a line with time, level, service and text', async () => {
    const dir = `${temporary()}/logs`;
    const log = supervisorLog({ dir, foreground: false });
    const notes: EffectOf<'note'>[] = [
      { type: 'note', level: 'info', service: WEB, text: 'is ready' },
      { type: 'note', level: 'warn', service: serviceId(LOOSE, 'job'), text: 'hook timed out' },
    ];
    await lastValueFrom(log.sink(of(...notes)), { defaultValue: undefined });
    log.error('first\nsecond');
    log.warn('mend this');
    await log.close();
    expect(visible(dir)).toEqual([today()]);
    expect(logged(dir).replaceAll(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z /gm, '')).toBe(
      'info [shop/web] is ready\nwarn [job] hook timed out\nerror first\n  second\nwarn mend this\n',
    );
  });

  it('the supervisor log continues in the same file after a restart', async () => {
    const dir = temporary();
    for (const text of ['one', 'two']) {
      const log = supervisorLog({ dir, foreground: false });
      log.error(text);
      await log.close();
    }
    expect(visible(dir)).toEqual([today()]);
    expect(logged(dir)).toMatch(/one\n.*two\n$/);
  });

  it('the supervisor log has each line of a burst in order at once', async () => {
    const dir = temporary();
    const log = supervisorLog({ dir, foreground: false });
    log.warn('first');
    await until(() => visible(dir).length === 1 && logged(dir).includes('first'));
    const burst = Array.from({ length: 3_000 }, (_, at) => `line ${String(at)}`);
    burst.forEach(log.warn);
    await until(() => logged(dir).includes(burst.at(-1) ?? ''));
    expect(logged(dir).match(/line \d+/g)).toEqual(burst);
    await log.close();
  });

  it('the supervisor log survives a full disk and continues when there is room', async () => {
    const dir = temporary();
    mkdirSync(dir, { recursive: true });
    symlinkSync('/dev/full', `${dir}/${today()}`);
    const log = supervisorLog({ dir, foreground: false });
    const before = descriptorsOf('/dev/full');
    log.error('lost');
    // Opened, and closed after the error: a look in each turn of the loop misses neither.
    while (descriptorsOf('/dev/full') === before) await turns(1);
    while (descriptorsOf('/dev/full') > before) await turns(1);
    unlinkSync(`${dir}/${today()}`);
    await until(() => {
      log.error('found');
      return visible(dir).length === 1 && logged(dir).includes('found');
    });
    await log.close();
    expect(logged(dir)).not.toContain('lost');
  });

  it.each([
    ['the file', (dir: string) => unlinkSync(`${dir}/${today()}`)],
    ['the directory', (dir: string) => rmSync(dir, { recursive: true })],
    ['the file, with another in its place', (dir: string) => replaceFile(`${dir}/${today()}`)],
  ])('the supervisor log is created again if %s was removed', async (_, remove) => {
    const dir = `${temporary()}/logs`;
    const log = supervisorLog({ dir, foreground: false });
    log.error('first');
    await until(() => existsSync(dir) && logged(dir).includes('first'));
    remove(dir);
    log.error('second');
    await until(() => existsSync(dir) && logged(dir).includes('second'));
    log.error('third');
    await log.close();
    expect(visible(dir)).toEqual([today()]);
    expect(logged(dir)).toMatch(/^\S+ error second\n\S+ error third\n$/);
  });

  it('the supervisor log has its last line although its file was removed just before', async () => {
    const dir = temporary();
    const log = supervisorLog({ dir, foreground: false });
    log.error('first');
    await until(() => existsSync(dir) && logged(dir).includes('first'));
    unlinkSync(`${dir}/${today()}`);
    log.error('last');
    await log.close();
    expect(logged(dir)).toMatch(/^\S+ error last\n$/);
  });

  it('the supervisor log survives a directory that cannot be created', async () => {
    const log = supervisorLog({ dir: '/dev/null/logs', foreground: false });
    log.error('nowhere');
    await expect(log.close()).resolves.toBeUndefined();
  });
});
