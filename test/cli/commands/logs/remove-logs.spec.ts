import { existsSync, utimesSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { pruneLogs } from '../../../../src/cli/commands/logs/remove-logs.ts';
import { projectId, serviceId } from '../../../../src/streams/domain/ids.ts';
import { layoutOf } from '../../../../src/streams/wire/layout.ts';
import { temporary, write } from './harness.ts';

describe('pruning logs', () => {
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
    const gone = await pruneLogs(dataDir, [web], { maxAge: 1 });
    expect(gone.map(({ path }) => path)).toEqual([`${log}.2`, `${log}.1`]);
    expect(all.map((path) => existsSync(path))).toEqual([true, false, false, true, true]);
    expect(await pruneLogs(temporary(), [web], { maxAge: 1 })).toEqual([]);
  });
});
