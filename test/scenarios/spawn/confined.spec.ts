// Needs the native addon.
// A child gets the confinement of its service, so a process of the service that has confined itself further must not have
// one: it would escape from its own sandbox. A process that has not, as a shell, may ask.
import { chmodSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { childrenOf, desk, within } from '../support/desk.ts';
import { asRoot, runningSys } from '../support/privileged.ts';
import type { Stage } from '../support/stage.ts';
import { expectDone } from '../support/witnesses.ts';

/** `sup spawn` inside the service, by way of another command. */
const spawnThrough = (stage: Stage, through: string) =>
  within(stage, 'web', `${through} ${stage.line('spawn')} -- sleep 1000`);

const SANDBOXES: readonly (readonly [string, string, string])[] = [
  ['no_new_privs', 'setpriv --no-new-privs', 'NoNewPrivs is 1, not 0'],
  ['a smaller bounding set', 'setpriv --bounding-set=-sys_admin', 'CapBnd is '],
  ['other groups', 'setpriv --groups=4', 'Groups is 4, not '],
  ['a network namespace', 'unshare --net', 'ns/net is net:['],
  ['a mount namespace', 'unshare --mount', 'ns/mnt is mnt:['],
];

describe('a process that has given up something for itself', () => {
  asRoot('gets no child that has it still, and hears what differs', async (stage) => {
    await runningSys(stage, { web: desk('web') });
    for (const [what, through, difference] of SANDBOXES) {
      const told = await spawnThrough(stage, through);
      expect([what, told.status, told.err]).toEqual([what, 1, expect.stringContaining('ERR0408')]);
      expect(told.err).toContain(difference);
    }
    expect((await childrenOf(stage, 'web')).children).toEqual([]);
    const shell = await spawnThrough(stage, 'bash -c \'"$@"; exit $?\' bash');
    expect(shell).toMatchObject({ status: 0, err: '' });
    expectDone(await stage.sup('stop', '--sys', 'web'));
  });

  asRoot('may ask in the namespaces and with the filters that its service has', async (stage) => {
    const isolation = { network: true, mount: true, seccomp: 'baseline' };
    await runningSys(stage, { web: desk('web', {}, { isolation, user: 'www-data', capabilities: [] }) });
    chmodSync(stage.work, 0o777);
    const told = await spawnThrough(stage, 'env');
    expect(told).toMatchObject({ status: 0, err: '' });
    const further = await spawnThrough(stage, 'setpriv --groups=33');
    expect(further.status).not.toBe(0);
    expectDone(await stage.sup('stop', '--sys', 'web'));
  });
});
