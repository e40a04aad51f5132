// A state that cannot be saved: the supervisor keeps running, says so, and recovers.
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { holds } from '../scenarios/support/eventually.ts';
import { supervisorLog } from '../scenarios/support/logs.ts';
import { killSupervisor } from '../scenarios/support/own-death.ts';
import { recordText } from '../scenarios/support/record.ts';
import { project, steady } from '../scenarios/support/recipes.ts';
import { scenario } from '../scenarios/support/scenario.ts';
import { agree, expectDone, started } from '../scenarios/support/witnesses.ts';

describe('a supervisor that cannot save its state', () => {
  scenario('goes on, says so, and saves it when it can again', async (stage) => {
    await started(stage, project('shop', { web: steady(), api: steady() }));
    const directory = join(stage.data, 'projects/shop');
    renameSync(directory, `${directory}.away`);
    writeFileSync(directory, 'in the way');
    const stopped = await stage.sup('stop', '--service', 'shop/api');
    expectDone(stopped);
    expect(stopped.stderr).toContain('cannot be kept for the next supervisor');
    expect((await stage.status()).document.supervisor.warnings.join('\n')).toContain(
      'the state of shop cannot be saved',
    );
    await agree(stage, { 'shop/web': 'running', 'shop/api': 'stopped' });
    await holds('a line in the log', () => supervisorLog(stage).some((line) => /cannot be saved/.test(line)));
    rmSync(directory);
    renameSync(`${directory}.away`, directory);
    await holds('the state saved again', () => supervisorLog(stage).some((line) => /saved again/.test(line)));
    expect(recordText(stage.data, 'shop')).toContain('"wanted":"down"');
    expect((await stage.status()).document.supervisor.warnings).toEqual([]);
    await killSupervisor(stage);
    expectDone(await stage.sup('start', '--daemonize', '--service', 'shop/web'));
    await agree(stage, { 'shop/web': 'running', 'shop/api': 'stopped' });
  });
});
