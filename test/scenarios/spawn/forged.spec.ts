// Needs the native addon.
// A stranger forges the marks of root's service and asks for a child. It must never get one as root or as the service's
// user, even if the supervisor takes it for a run of that service.
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { launch, type Running } from '../support/command.ts';
import { desk, within } from '../support/desk.ts';
import { eventually, holds } from '../support/eventually.ts';
import { killWith } from '../support/own-death.ts';
import { asRoot, runningSys, startSys } from '../support/privileged.ts';
import { fixture } from '../support/recipes.ts';
import type { Stage } from '../support/stage.ts';
import { expectDone } from '../support/witnesses.ts';

const STRANGER = 65534;
/** Relative to the stage's work directory, as a desk is named. */
const DESK = '../stranger/desk';

/** `web` is root's, and nothing confines it; `other` has the stranger's uid, so that the spawn socket listens to it. */
const SERVICES = { web: desk('web'), other: desk('other', {}, { user: 'nobody' }) };

/** A process of uid 65534 that leads a session and carries the marks of a run of `web`. */
const forge = async (stage: Stage, run: number): Promise<Running> => {
  const directory = join(stage.root, 'stranger');
  if (!existsSync(directory)) mkdirSync(directory);
  chownSync(directory, STRANGER, STRANGER);
  const stranger = launch({
    argv: [
      ...['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', 'setsid'],
      ...['sh', fixture('desk.sh'), DESK],
    ],
    directory: stage.work,
    environment: {
      ...{ PATH: process.env['PATH'] ?? '', HOME: '/nonexistent' },
      ...{ SUP_SUPERVISOR: stage.data, SUP_PROJECT: '__loose__', SUP_SERVICE: 'web' },
      SUP_UNIT: `__loose__/web#${run}`,
    },
    limit: 90_000,
    line: 'a stranger',
  });
  const leads = (): boolean => stage.members('web').some(({ leader, run: own }) => leader && own === run);
  await holds('a stranger that leads a session', leads);
  return stranger;
};

/** The real, effective, saved and file system uid of the child that the stranger got; `undefined`: it got none. */
const loot = async (stage: Stage, stranger: Running): Promise<string | undefined> => {
  const proof = join(stage.root, 'proof');
  const line = `${stage.line('spawn')} --name loot -- sh -c 'grep ^Uid: /proc/self/status >${proof}; exec sleep 1000'`;
  // The supervisor may have ended it as a leftover, or its request with a signal just before.
  const told = await Promise.race([within(stage, DESK, line), stranger.ended.then(() => undefined)]);
  if (told === undefined || told.status > 128) return undefined;
  if (told.status !== 0) {
    expect(told.err).toMatch(/ERR040[16]|ERR020[56]/);
    return undefined;
  }
  return eventually({
    what: 'the uid of the child',
    look: () => (existsSync(proof) ? readFileSync(proof, 'utf8') : undefined),
  });
};

const end = (stranger: Running): void => {
  stranger.child.kill('SIGKILL');
  stranger.ended.catch(() => undefined);
};

/** The supervisor begins when the stranger is there, and the stranger asks. */
const attacks = (title: string, begin: (stage: Stage) => Promise<Running>): void =>
  asRoot(title, async (stage) => {
    const stranger = await begin(stage);
    try {
      chmodSync(stage.work, 0o755);
      expect(await loot(stage, stranger)).toBeUndefined();
    } finally {
      end(stranger);
    }
    await stage.sup('shutdown', '--sys');
  });

describe('a stranger with the marks of a service of root', () => {
  attacks('gets no child from it at its first start', async (stage) => {
    const stranger = await forge(stage, 1);
    await startSys(stage, SERVICES);
    return stranger;
  });

  attacks('gets no child from it after an orderly end and a new start', async (stage) => {
    await runningSys(stage, SERVICES);
    expectDone(await stage.sup('shutdown', '--sys'));
    const stranger = await forge(stage, 7);
    await stage.sup('start', '--sys', '--daemonize');
    return stranger;
  });

  attacks('gets no child from it after everything has died and a new start', async (stage) => {
    const pids = await runningSys(stage, SERVICES);
    await killWith(stage, [{ pid: pids.web }, { pid: pids.other }]);
    const stranger = await forge(stage, 7);
    await stage.sup('start', '--sys', '--daemonize');
    return stranger;
  });
});
