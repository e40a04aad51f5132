// Needs the native addon.
// `sup event`: a process of a service records an event of the service, and no other process does.
import { describe, expect } from 'vitest';
import type { EventDocument } from '../../../src/streams/wire/documents/event-document.ts';
import { holds } from '../support/eventually.ts';
import { fileComes } from '../support/marks.ts';
import { loose, shell } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import type { Stage } from '../support/stage.ts';
import { expectFailed, started } from '../support/witnesses.ts';

const reported = async (stage: Stage): Promise<readonly EventDocument[]> => {
  const { stdout } = await stage.sup('events', '--json', 'web');
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as EventDocument)
    .filter(({ kind }) => kind === 'service-event');
};

describe('sup event', () => {
  scenario('a process of a service records an event with level and data', async (stage) => {
    const line = stage.line('event', "'cache warmed'", '--level', 'warning', '--data', 'entries=512');
    await started(stage, loose({ web: shell(`${line}; touch over; exec sleep 1000`) }));
    await fileComes(stage, 'over');
    await holds('the event', async () => (await reported(stage)).length > 0);
    expect(await reported(stage)).toMatchObject([
      {
        ...{ service: 'web', run: 1, cause: 'reported', reason: 'cache warmed' },
        ...{ level: 'warning', data: { entries: '512' } },
      },
    ]);
    const { stdout } = await stage.sup('events', 'web');
    expect(stdout).toMatch(/web event \(cache warmed, entries=512\)/);
  });

  scenario('outside a service an event is refused', async (stage) => {
    await started(stage, loose({ web: shell('exec sleep 1000') }));
    expectFailed(await stage.sup('event', 'cache warmed'), 'ERR0409');
    expectFailed(await stage.sup('event', 'x'.repeat(1001)), 'ERR0409');
    expect(await reported(stage)).toEqual([]);
  });
});
