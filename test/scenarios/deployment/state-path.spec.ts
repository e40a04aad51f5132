// The file that tells others which slot has the traffic: where it cannot be written, or says what is no slot.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { holds } from '../support/eventually.ts';
import { supervisorLog } from '../support/logs.ts';
import { project, steady, type Declared } from '../support/recipes.ts';
import { serviceOf } from '../support/rollouts.ts';
import { scenario } from '../support/scenario.ts';
import { expectDone, started } from '../support/witnesses.ts';

const slotted = (state_path: string): Declared => {
  const blue_green = { slots: ['blue', 'green'], env_var: 'SLOT', switch_command: 'true', state_path };
  return project('shop', { web: steady({ deployment: { blue_green } }) });
};

describe('the state_path file of a slot', () => {
  scenario(
    'a slot file that cannot be written is a warning until it can, and then has the right slot',
    async (stage) => {
      stage.meant.add('cannot be kept in');
      stage.write('kept', 'a file');
      await started(stage, slotted('kept/slot'));
      const restarted = await stage.sup('restart');
      expectDone(restarted);
      expect(restarted.stderr).toContain('the slot of shop/web cannot be kept in');
      const { document } = await stage.status();
      expect(document.supervisor.warnings).toEqual([expect.stringContaining('cannot be kept in')]);
      rmSync(join(stage.work, 'kept'));
      await holds('no warning', async () => (await stage.status()).document.supervisor.warnings.length === 0);
      expect(readFileSync(join(stage.work, 'kept/slot'), 'utf8')).toBe('green\n');
      expectDone(await stage.sup('restart'));
    },
  );

  scenario('a slot file with an unknown slot changes nothing and causes a warning', async (stage) => {
    await started(stage, slotted('slot'));
    expectDone(await stage.sup('restart'));
    expectDone(await stage.sup('stop'));
    stage.write('slot', 'zzz\n');
    expectDone(await stage.sup('start', '--daemonize'));
    expect((await serviceOf(stage, 'shop/web')).slot).toBe('green');
    const warning = 'state_path says "zzz", which is no slot of it: green is used';
    await holds('the warning', () => supervisorLog(stage).some((line) => line.includes(warning)));
    await holds('it says what is so', () => readFileSync(join(stage.work, 'slot'), 'utf8') === 'green\n');
  });
});
