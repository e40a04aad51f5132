// Needs the native addon.
// Several instances of one service on one held socket: scaled and rolled without a refused connection, also
// after the supervisor was killed, and after an upgrade.
import { describe, expect } from 'vitest';
import { asking, HELD_SERVER } from '../support/asking.ts';
import { freePort, isListening } from '../support/free-port.ts';
import { killSupervisor } from '../support/own-death.ts';
import { project, steady } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import { agree, expectDone, expectFailed, started } from '../support/witnesses.ts';

describe('a service with replicas', () => {
  scenario(
    'a service with replicas is scaled and rolled without a refused connection, also after its supervisor was killed or upgraded',
    async (stage) => {
      const port = await freePort();
      stage.write('server.mjs', HELD_SERVER);
      const web = {
        exec: [process.execPath, 'server.mjs'],
        replicas: 2,
        sockets: [{ name: 'http', listen: `127.0.0.1:${port}` }],
        deployment: { strategy: 'rolling', health_check: { url: `http://127.0.0.1:${port}/` } },
      };
      await started(stage, project('shop', { web, worker: steady({ depends_on: ['web'] }) }));
      const stop = asking(port);
      expectDone(await stage.sup('scale', 'web=3'));
      await killSupervisor(stage);
      expectDone(await stage.sup('restart', 'web'));
      const all = {
        'shop/web@1': 'running',
        'shop/web@2': 'running',
        'shop/web@3': 'running',
        'shop/worker': 'running',
      } as const;
      const before = await agree(stage, all);
      expectDone(await stage.sup('upgrade'));
      const after = await agree(stage, all);
      expect(Object.values(after).map(({ pid }) => pid)).toEqual(Object.values(before).map(({ pid }) => pid));
      expectDone(await stage.sup('scale', 'web=1'));
      await agree(stage, { 'shop/web@1': 'running', 'shop/worker': 'running' });
      const { answered, refused } = await stop();
      expect(refused).toBe(0);
      expect(answered).toBeGreaterThan(0);
      expectFailed(await stage.sup('scale', 'worker=2'), 'ERR0304');
      expectFailed(await stage.sup('scale', 'web=2', 'web=3'), 'ERR0200', 2);
      expectDone(await stage.sup('stop', 'web'));
      expect(await isListening(port)).toBe(false);
    },
  );
});
