// Own death: a record with one damaged character, or with processes that another tool restored, is no reason not to begin.
import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { killSupervisor } from '../support/own-death.ts';
import { program, project, steady } from '../support/recipes.ts';
import { putRecord, recordText } from '../support/record.ts';
import { scenario } from '../support/scenario.ts';
import { supervisorLog } from '../support/logs.ts';
import { agree, come, expectDone, expectFailed, started } from '../support/witnesses.ts';

/** Numbers that JSON holds exactly, and no `Date`. */
const TICKS_OF_NO_MOMENT = '"startTicks":8000000000000000';

const putFifo = (path: string): void => {
  rmSync(path, { force: true });
  execFileSync('mkfifo', [path]);
};

describe('a supervisor that finds a damaged record', () => {
  scenario(
    'a supervisor starts although a recorded start time is invalid, and adopts the process',
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

  scenario('a supervisor does not wait for a FIFO in place of a file', async (stage) => {
    await started(stage, project('shop', { web: steady() }));
    await killSupervisor(stage);
    const found = readdirSync(join(stage.data, 'logs')).filter((name) => /supervisor-/.test(name));
    const files = [...found.map((name) => `logs/${name}`), 'sup.pid', 'supervisor.closing'];
    for (const file of [...files, 'output.buffer', 'control.path']) putFifo(join(stage.data, file));
    const lock = join(stage.data, 'supervisor.lock');
    putFifo(lock);
    expectFailed(await stage.sup('shutdown'), 'ERR0701');
    rmSync(lock);
    expect((await stage.sup('status')).status).toBe(3);
    expectDone(await stage.sup('start', '--daemonize'));
    await agree(stage, { 'shop/web': 'running' });
    expectDone(await stage.sup('shutdown'));
  });

  scenario('a supervisor starts although one project was recorded in another boot', async (stage) => {
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
