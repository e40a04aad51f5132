// An orderly end waits for the file that tells others which slot has the traffic: the next supervisor goes by it.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { beginOf, elsewhere } from '../support/elsewhere.ts';
import { holds } from '../support/eventually.ts';
import { steady, project } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import { expectDone } from '../support/witnesses.ts';

/** Its disk is stuck with that file until the file `go` exists, and then takes another second. */
const SLOW = `const files = require('node:fs/promises');
const { rename } = files;
const pause = (length) => new Promise((over) => setTimeout(over, length));
files.rename = async (from, to) => {
  if (String(to).endsWith('/kept/slot')) {
    while (!require('node:fs').existsSync(String(to).replace('kept/slot', 'go'))) await pause(20);
    await pause(1000);
  }
  return rename(from, to);
};
require('node:module').syncBuiltinESMExports();`;

describe('an orderly end', () => {
  scenario('an orderly end writes the slot of a service to its file, even on a slow disk', async (stage) => {
    const blueGreen = { slots: ['blue', 'green'], env_var: 'SLOT', switch_command: 'true' };
    const deployment = { blue_green: { ...blueGreen, state_path: 'kept/slot' } };
    stage.declare(project('shop', { web: steady({ deployment }) }));
    const slow = elsewhere(stage, 'slow', SLOW);
    expectDone(await beginOf(stage, slow, 'start', '-c', 'sup.yaml', '--daemonize').ended);
    const kept = join(stage.work, 'kept/slot');
    expect(existsSync(kept)).toBe(false);
    const asked = stage.begin(['shutdown']);
    await holds('the service stopped', () => stage.members('shop/web').length === 0);
    stage.write('go', '');
    expectDone(await asked.ended);
    expect(readFileSync(kept, 'utf8')).toBe('blue\n');
  });
});
