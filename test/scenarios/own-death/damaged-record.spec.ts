// Own death: a record with one damaged character, or with processes that another tool restored, is no reason not to begin.
import { describe, expect } from 'vitest';
import { killSupervisor } from '../support/own-death.ts';
import { program, project, steady } from '../support/recipes.ts';
import { putRecord, recordText } from '../support/record.ts';
import { scenario } from '../support/scenario.ts';
import { supervisorLog } from '../support/logs.ts';
import { agree, come, expectDone, started } from '../support/witnesses.ts';

/** Numbers that JSON holds exactly, and no `Date`. */
const TICKS_OF_NO_MOMENT = '"startTicks":8000000000000000';

describe('a supervisor that finds a damaged record', () => {
  scenario(
    'begins although the start of a process is no moment, and adopts it all the same',
    async (stage) => {
      await started(stage, project('shop', { web: steady(), ticker: program('ticker.mjs') }));
      const before = await agree(stage, { 'shop/web': 'running', 'shop/ticker': 'running' });
      await killSupervisor(stage);
      const text = recordText(stage.data, 'shop');
      putRecord(stage.data, 'shop', text.replaceAll(/"startTicks":\d+/g, TICKS_OF_NO_MOMENT));
      expect((await stage.sup('doctor', '--quiet')).status).toBe(2);
      expectDone(await stage.sup('start', '--daemonize'));
      await come(stage, { 'shop/web': 'running', 'shop/ticker': 'running' });
      const after = await agree(stage, { 'shop/web': 'running', 'shop/ticker': 'running' });
      expect(after['shop/web']).toMatchObject({ pid: before['shop/web'].pid, run: 1 });
      expect(supervisorLog(stage).join('\n')).not.toContain('ERR0001');
    },
  );

  scenario('begins although one project was recorded under another boot', async (stage) => {
    stage.declare(project('other', { api: steady() }), 'other.yaml');
    await started(stage, project('shop', { web: steady() }));
    expectDone(await stage.sup('start', '--daemonize', '-c', 'other.yaml'));
    await killSupervisor(stage);
    const text = recordText(stage.data, 'shop');
    putRecord(stage.data, 'shop', text.replace(/"boot_id":"./, '"boot_id":"x'));
    expectDone(await stage.sup('start', '--daemonize'));
    await come(stage, { 'shop/web': 'running', 'other/api': 'running' });
    await agree(stage, { 'shop/web': 'running', 'other/api': 'running' });
  });
});
