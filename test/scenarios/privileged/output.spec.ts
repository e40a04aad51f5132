// Needs the native addon.
// Other users cannot read the output of a service, other processes of its user can (`docs/security.md`).
import { spawnSync } from 'node:child_process';
import { describe, expect } from 'vitest';
import { holds } from '../support/eventually.ts';
import { serviceLog } from '../support/logs.ts';
import { asRoot, runningSys } from '../support/privileged.ts';
import { steady } from '../support/recipes.ts';

/** Runs a line of shell as this uid and says whether it succeeded. */
const succeedsAs = (uid: number, line: string): boolean =>
  spawnSync('setpriv', [
    ...[`--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', '--inh-caps=-all'],
    ...['sh', '-c', line],
  ]).status === 0;

describe('the output of a service', () => {
  asRoot('is open to processes of its own user, and closed to every other user', async (stage) => {
    const { web } = await runningSys(stage, { web: steady({ user: 'www-data' }) });
    const output = `/proc/${web}/fd/1`;
    expect(succeedsAs(65534, `echo forged by another user >${output}`)).toBe(false);
    expect(succeedsAs(65534, `exec 3<${output}`)).toBe(false);
    expect(succeedsAs(33, `echo written by the same user >${output}`)).toBe(true);
    await holds('the line', () => serviceLog(stage, 'web').some((line) => line.includes('the same user')));
    expect(serviceLog(stage, 'web').some((line) => line.includes('another user'))).toBe(false);
  });
});
