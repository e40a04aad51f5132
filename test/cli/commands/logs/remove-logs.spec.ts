import { existsSync, utimesSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { pruned, pruneLogs, type StoredLog } from '../../../../src/cli/commands/logs/remove-logs.ts';
import { projectId, serviceId } from '../../../../src/streams/domain/ids.ts';
import { layoutOf } from '../../../../src/streams/wire/layout.ts';
import { temporary, write } from './harness.ts';

const file = (path: string, at: number, bytes = 10): StoredLog => ({
  path,
  at,
  bytes,
  rotated: /\d$/.test(path),
});
const FILES = [file('a', 9), file('a.1', 5), file('a.2', 1), file('b', 1), file('b.1', 3)];
const names = (files: readonly StoredLog[]): readonly string[] => files.map(({ path }) => path);

describe('pruning logs', () => {
  it.each([
    [{ maxAge: 6 }, ['a.2', 'b.1']],
    [{ maxBytes: 40 }, ['a.2']],
    [{ maxBytes: 0 }, ['a.2', 'b.1', 'a.1']],
    [{ maxAge: 8, maxBytes: 30 }, ['a.2', 'b.1']],
    [{ maxAge: 100, maxBytes: 50 }, []],
  ])('pruning with %j removes rotated files only, oldest first', (limits, gone) => {
    expect(names(pruned(FILES, limits, 10))).toEqual(gone);
  });

  it('pruning removes files of the selected services only', async () => {
    const dataDir = temporary();
    const web = serviceId(projectId('shop'), 'web');
    const log = layoutOf(dataDir).log(web);
    const all = [
      log,
      `${log}.1`,
      `${log}.2`,
      `${log}.old`,
      layoutOf(dataDir).log(serviceId(projectId('shop'), 'db')),
    ];
    for (const path of all) {
      write(path, 'text');
      utimesSync(path, 1, 1);
    }
    expect(names(await pruneLogs(dataDir, [web], { maxAge: 1 }))).toEqual([`${log}.1`, `${log}.2`]);
    expect(all.map((path) => existsSync(path))).toEqual([true, false, false, true, true]);
    expect(await pruneLogs(temporary(), [web], { maxAge: 1 })).toEqual([]);
  });
});
