// Held sockets: a fixed port rolls, and nobody is refused.
import { describe, expect } from 'vitest';
import { asking, HELD_SERVER } from '../support/asking.ts';
import { freePort, isListening } from '../support/free-port.ts';
import { killSupervisor } from '../support/own-death.ts';
import { project, type Declared } from '../support/recipes.ts';
import { serviceOf } from '../support/rollouts.ts';
import { scenario } from '../support/scenario.ts';
import { agree, expectDone, started } from '../support/witnesses.ts';

const held = (port: number): Declared => ({
  exec: [process.execPath, 'server.mjs'],
  sockets: [{ name: 'http', listen: `127.0.0.1:${port}` }],
  deployment: { strategy: 'rolling', grace_period: '500ms' },
});

describe('a service with a held socket', () => {
  scenario(
    'rolls on its fixed port, and nobody is refused, after the death of its supervisor too',
    async (stage) => {
      const port = await freePort();
      stage.write('server.mjs', HELD_SERVER);
      await started(stage, project('shop', { web: held(port) }));
      const stop = asking(port);
      expectDone(await stage.sup('restart'));
      await killSupervisor(stage);
      expectDone(await stage.sup('restart'));
      const { answered, refused } = await stop();
      expect(refused).toBe(0);
      expect(answered).toBeGreaterThan(0);
      expect((await serviceOf(stage, 'shop/web')).run).toBe(3);
      await agree(stage, { 'shop/web': 'running' });
      expectDone(await stage.sup('stop'));
      expect(await isListening(port)).toBe(false);
    },
  );
});
