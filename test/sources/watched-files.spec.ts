import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, it } from 'vitest';
import type { Event } from '../../src/streams/domain/event.ts';
import { ms } from '../../src/streams/domain/time.ts';
import { files } from '../../src/sources/watched-files.ts';
import { listen } from '../support/listen.ts';
import { idOf } from '../support/spec.ts';
import { until } from '../fixtures/processes/world.ts';

const closing: (() => void)[] = [];
afterEach(() => closing.splice(0).forEach((close) => close()));

interface Watched {
  readonly write: (file: string) => void;
  readonly inside: (file: string) => string;
  readonly count: (file: string) => number;
  /** Resolves when a write to the file is reported; the watcher does not say when it begins to see. */
  readonly isSeen: (file: string) => Promise<unknown>;
}

const watched = (...paths: readonly string[]): Watched => {
  const directory = mkdtempSync(join(tmpdir(), 'watched-'));
  const inside = (file: string): string => join(directory, file);
  const seen: Event[] = [];
  const watch = { type: 'files', key: 'files', service: idOf('web'), directory, debounce: ms(20) } as const;
  const subscription = listen(files({ ...watch, paths: paths.map(inside) }), (event) => seen.push(event));
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
  return { write, inside, count, isSeen };
};

describe('watched files', () => {
  it('a path is waited for of which the directories are missing', async () => {
    const { inside, isSeen } = watched('a/b/src');
    mkdirSync(inside('a/b/src'), { recursive: true });
    await isSeen('a/b/src/app.js');
  });

  it('a directory that is removed and made again is watched again', async () => {
    const { inside, isSeen } = watched('src');
    mkdirSync(inside('src'));
    await isSeen('src/app.js');
    rmSync(inside('src'), { recursive: true });
    mkdirSync(inside('src'));
    await isSeen('src/other.js');
  });

  it('a link that leads elsewhere is a change, and the new directory is watched', async () => {
    const { inside, count, isSeen } = watched('current');
    for (const release of ['one', 'two']) mkdirSync(inside(release));
    symlinkSync('one', inside('current'));
    await isSeen('current/app.js');
    symlinkSync('two', inside('next'));
    renameSync(inside('next'), inside('current'));
    await until(() => count('current') > 0);
    await isSeen('current/other.js');
  });
});
