// Needs the native addon.
// Held sockets of services that are launched: as another user, under limits, in namespaces, behind Landlock.
import { readdirSync, readlinkSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { asking, HELD_SERVER } from '../support/asking.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { serviceLog } from '../support/logs.ts';
import { killSupervisor } from '../support/own-death.ts';
import { asRoot, idOf, pidsOf, runningSys } from '../support/privileged.ts';
import type { Declared } from '../support/recipes.ts';
import type { Stage } from '../support/stage.ts';
import { expectDone } from '../support/witnesses.ts';

const NOBODY = 65534;

const held = (stage: Stage, port: number, more: Declared): Declared => ({
  exec: [process.execPath, `${stage.work}/server.mjs`],
  user: 'nobody',
  // It ends by itself, when it has answered.
  stop_timeout: '1m',
  sockets: [{ name: 'http', listen: `127.0.0.1:${port}` }],
  deployment: { strategy: 'rolling', grace_period: '500ms' },
  ...more,
});

const targetOf = (pid: number, number: string): string => {
  try {
    return readlinkSync(`/proc/${pid}/fd/${number}`);
  } catch {
    return 'closed';
  }
};

/** What a process has open: numbers, and which of them are sockets. */
const descriptorsOf = (
  pid: number,
): { readonly all: readonly number[]; readonly sockets: readonly number[] } => {
  const names = readdirSync(`/proc/${pid}/fd`);
  return {
    all: names.map(Number),
    sockets: names.filter((name) => targetOf(pid, name).startsWith('socket:')).map(Number),
  };
};

describe('a held socket of a launched service', () => {
  asRoot(
    'is handed to another user, who is rolled without a refused connection, after the death of the supervisor too',
    async (stage) => {
      const port = await freePort();
      stage.write('server.mjs', HELD_SERVER);
      const services = { web: held(stage, port, { limits: { nofile: 100 } }) };
      const { web: first } = await runningSys(stage, services);
      const stop = asking(port);
      expectDone(await stage.sup('restart'));
      const { web: second } = await pidsOf(stage, services);
      await killSupervisor(stage);
      expectDone(await stage.sup('restart', '--sys'));
      const { web: third } = await pidsOf(stage, services);
      const { answered, refused } = await stop();
      expect({ refused, answered: answered > 0 }).toEqual({ refused: 0, answered: true });
      expect(new Set([first, second, third]).size).toBe(3);
      expect(idOf(third, 'Uid')).toBe(NOBODY);
    },
  );

  asRoot(
    'is all that is handed on: in namespaces, behind Landlock, in a user namespace of its own',
    async (stage) => {
      const isolated = async (isolation: Declared): Promise<Declared> => ({
        command: 'echo "$LISTEN_PID $LISTEN_FDS $LISTEN_FDNAMES"; exec sleep 1000',
        stop_timeout: '1s',
        sockets: [
          { name: 'one', listen: `127.0.0.1:${await freePort()}` },
          { name: 'two', listen: `127.0.0.1:${await freePort()}` },
        ],
        isolation,
      });
      const pids = await runningSys(stage, {
        network: await isolated({ network: true, pid: true }),
        files: await isolated({ landlock: { ro_paths: ['/'] } }),
        itself: await isolated({ user: true }),
      });
      for (const [name, pid] of Object.entries(pids)) {
        expect(descriptorsOf(pid).sockets).toEqual([3, 4]);
        // A program that begins opens its libraries for a moment.
        await eventually({
          what: `no other descriptors of ${name}`,
          look: () => descriptorsOf(pid).all.every((number) => number <= 4) || undefined,
          instead: () => descriptorsOf(pid),
        });
        expect(
          await eventually({ what: `the words of ${name}`, look: () => serviceLog(stage, name).at(-1) }),
        ).toContain(`${name === 'network' ? 1 : pid} 2 one:two`);
      }
    },
  );
});
