// Needs the native addon.
// The spawn socket can be reached by every user. None of them may keep a service of another user from asking for children.
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { serviceSocketPath } from '../../../src/sources/control/socket-place.ts';
import { launch, type Running } from '../support/command.ts';
import { desk, spawnWithin } from '../support/desk.ts';
import { eventually } from '../support/eventually.ts';
import { asRoot, runningSys } from '../support/privileged.ts';
import { fixture } from '../support/recipes.ts';
import type { Stage } from '../support/stage.ts';
import { expectDone } from '../support/witnesses.ts';

const WWW = 33;
const NOBODY = 65534;
/** More than the socket ever took from all users together. */
const MANY = 90;

interface Held {
  readonly holder: Running;
  readonly open: number;
  readonly bytes: number;
}

/** Starts a process of this uid that connects so many times and sends nothing. Waits until so many are left open. */
const hold = async (stage: Stage, uid: number, left: number): Promise<Held> => {
  const directory = join(stage.root, `u${uid}`);
  mkdirSync(directory);
  chownSync(directory, uid, uid);
  const report = join(directory, 'report');
  const holder = launch({
    argv: [
      ...['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', process.execPath],
      ...[
        fixture('hold-connections.mjs'),
        serviceSocketPath(stage.data, { sys: true }),
        String(MANY),
        report,
      ],
    ],
    directory: '/',
    environment: { PATH: process.env['PATH'] ?? '' },
    limit: 90_000,
    line: `connections of uid ${uid}`,
  });
  holder.ended.catch(() => undefined);
  const reported = (): { readonly tried: number; readonly open: number; readonly bytes: number } =>
    existsSync(report)
      ? (JSON.parse(readFileSync(report, 'utf8')) as ReturnType<typeof reported>)
      : { tried: 0, open: 0, bytes: 0 };
  await eventually({
    what: `${left} of ${MANY} connections of uid ${uid} open`,
    look: () => (reported().tried === MANY && reported().open === left) || undefined,
    instead: reported,
  });
  return { holder, ...reported() };
};

describe('the spawn socket', () => {
  asRoot('closes connections of a stranger, and of a service all but eight', async (stage) => {
    await runningSys(stage, {
      web: desk('web', {}, { user: 'www-data' }),
      other: desk('other', {}, { user: 'nobody' }),
      third: desk('third', {}, { user: 'daemon' }),
    });
    chmodSync(stage.work, 0o777);
    const held = [await hold(stage, WWW, 8), await hold(stage, NOBODY, 8), await hold(stage, 2, 0)];
    try {
      expect(held.map(({ open, bytes }) => [open, bytes])).toEqual([
        [8, 0],
        [8, 0],
        [0, 0],
      ]);
      const full = await spawnWithin(stage, 'web', '--', 'sleep', '1000');
      expect(full.status).toBe(1);
      const asked = await spawnWithin(stage, 'third', '--', 'sleep', '1000');
      expect(asked).toMatchObject({ status: 0, err: '' });
    } finally {
      held.forEach(({ holder }) => holder.child.kill('SIGKILL'));
    }
    expectDone(await stage.sup('stop', '--sys'));
  });
});
