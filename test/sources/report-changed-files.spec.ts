import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Event } from '../../src/streams/domain/event.ts';
import { ms } from '../../src/streams/domain/time.ts';
import { files } from '../../src/sources/report-changed-files.ts';
import { listen } from '../support/listen.ts';
import { idOf } from '../support/spec.ts';
import { until } from '../fixtures/processes/world.ts';

const closing: (() => void)[] = [];
afterEach(() => closing.splice(0).forEach((close) => close()));

interface Watched {
  readonly write: (file: string) => void;
  readonly inside: (file: string) => string;
  readonly count: (file: string) => number;
  readonly seen: readonly Event[];
  /** Resolves when a write to the file is reported; the watcher does not say when it begins to see. */
  readonly isSeen: (file: string) => Promise<unknown>;
}

const emptyDirectory = (): string => mkdtempSync(join(tmpdir(), 'watched-'));

/** Watches paths in a directory. At most four directories may be watched. */
const watched = (paths: readonly string[], directory = emptyDirectory()): Watched => {
  const inside = (file: string): string => join(directory, file);
  const seen: Event[] = [];
  const watch = { type: 'files', key: 'files', service: idOf('web'), directory, debounce: ms(20) } as const;
  const source = files({ dataDir: inside('src/data'), most: 4 });
  const subscription = listen(source({ ...watch, paths: paths.map(inside) }), (event) => seen.push(event));
  closing.push(() => {
    subscription.unsubscribe();
    rmSync(directory, { recursive: true });
  });
  let writes = 0;
  const write = (file: string): void => writeFileSync(inside(file), String((writes += 1)));
  const count = (file: string): number =>
    seen.filter((event) => event.type === 'changed' && event.file === file).length;
  const isSeen = (file: string): Promise<unknown> => {
    const before = count(file);
    return until(() => {
      write(file);
      return count(file) > before;
    });
  };
  return { write, inside, count, seen, isSeen };
};

describe('watched files', () => {
  it('a path is waited for of which the directories are missing', async () => {
    const { inside, isSeen } = watched(['a/b/src']);
    mkdirSync(inside('a/b/src'), { recursive: true });
    await isSeen('a/b/src/app.js');
  });

  it('a directory that is removed and made again is watched again', async () => {
    const { inside, isSeen } = watched(['src']);
    mkdirSync(inside('src'));
    await isSeen('src/app.js');
    rmSync(inside('src'), { recursive: true });
    mkdirSync(inside('src/lib'), { recursive: true });
    await isSeen('src/lib/app.js');
    rmSync(inside('src/lib'), { recursive: true });
    mkdirSync(inside('src/lib'));
    await isSeen('src/lib/other.js');
  });

  it('a file that changes after the request to watch it, before the kernel watches it, is a change', async () => {
    const directory = emptyDirectory();
    writeFileSync(join(directory, 'app.txt'), 'old');
    const { write, count } = watched(['app.txt'], directory);
    // The watcher does nothing meanwhile. The kernel dates changes with a clock that goes on every 4 ms.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    write('app.txt');
    await until(() => count('app.txt') > 0);
  });

  it('a file that does not change after the request to watch it is no change', async () => {
    const directory = emptyDirectory();
    for (const file of ['app.txt', 'other.txt']) writeFileSync(join(directory, file), 'old');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    const { count, isSeen } = watched(['app.txt', 'other.txt'], directory);
    await isSeen('other.txt');
    expect(count('app.txt')).toBe(0);
  });

  it('a link that leads elsewhere is a change, and the new directory is watched', async () => {
    const { inside, count, isSeen } = watched(['current']);
    for (const release of ['one', 'two']) mkdirSync(inside(release));
    symlinkSync('one', inside('current'));
    await isSeen('current/app.js');
    symlinkSync('two', inside('next'));
    renameSync(inside('next'), inside('current'));
    await until(() => count('current') > 0);
    await isSeen('current/other.js');
  });

  it('a file is watched that is replaced again and again, or removed and made again', async () => {
    const { inside, isSeen, count } = watched(['app.conf']);
    await isSeen('app.conf');
    for (let save = 1; save <= 3; save += 1) {
      const before = count('app.conf');
      writeFileSync(inside('new'), String(save));
      renameSync(inside('new'), inside('app.conf'));
      await until(() => count('app.conf') > before);
    }
    rmSync(inside('app.conf'));
    await isSeen('app.conf');
    expect(count('new')).toBe(0);
  });

  it('a directory that is made or moved is watched, also one with the name of its parent', async () => {
    const { inside, isSeen } = watched(['src']);
    mkdirSync(inside('src/src'), { recursive: true });
    await isSeen('src/src/app.js');
    renameSync(inside('src/src'), inside('src/lib'));
    await isSeen('src/lib/app.js');
  });

  it('a file that a link leads to is watched', async () => {
    const { inside, isSeen, count } = watched(['src']);
    mkdirSync(inside('src'));
    writeFileSync(inside('shared.conf'), '');
    symlinkSync('../shared.conf', inside('src/app.conf'));
    await until(() => {
      writeFileSync(inside('shared.conf'), String(Math.random()));
      return count('src/app.conf') > 1;
    });
    await isSeen('src/other');
  });

  it('a link to a directory above it is not followed, and what is ignored takes no watch', async () => {
    const directory = emptyDirectory();
    for (const path of ['src/lib', 'src/node_modules/a/b/c/d', 'src/data/a/b/c/d'])
      mkdirSync(join(directory, path), { recursive: true });
    symlinkSync('..', join(directory, 'src/lib/up'));
    const { isSeen, count, seen, write } = watched(['src'], directory);
    await isSeen('src/lib/app.js');
    for (const path of ['src/data/state', 'src/node_modules/a/x']) write(path);
    await isSeen('src/app.js');
    expect(count('src/data/state') + count('src/node_modules/a/x')).toBe(0);
    expect(seen.filter(({ type }) => type === 'unwatched')).toEqual([]);
  });

  it('a declared directory counts that is in one that is ignored', async () => {
    const { inside, isSeen } = watched(['node_modules/lib', '.git']);
    for (const path of ['node_modules/lib', '.git']) mkdirSync(inside(path), { recursive: true });
    await isSeen('node_modules/lib/index.js');
    await isSeen('.git/HEAD');
  });

  it('watching ends with a report if there are too many directories', async () => {
    const directory = emptyDirectory();
    mkdirSync(join(directory, 'src/a/b/c/d'), { recursive: true });
    const { seen } = watched(['src'], directory);
    await until(() => seen.length > 0);
    expect(seen).toEqual([
      { type: 'unwatched', service: 'shop/web', file: 'src/a/b/c/d', detail: 'more than 4 directories' },
    ]);
  });
});
