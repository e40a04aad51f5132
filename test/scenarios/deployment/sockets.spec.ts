// Held sockets: a fixed port rolls, and nobody is refused.
import { describe, expect } from 'vitest';
import { freePort, isListening } from '../support/free-port.ts';
import { killSupervisor } from '../support/own-death.ts';
import { project, type Declared } from '../support/recipes.ts';
import { serviceOf } from '../support/rollouts.ts';
import { scenario } from '../support/scenario.ts';
import { agree, expectDone, started } from '../support/witnesses.ts';

const SERVER = `
import { createServer } from 'node:http';
if (process.env.LISTEN_PID !== String(process.pid) || process.env.LISTEN_FDNAMES !== 'http') process.exit(7);
const server = createServer((_, response) => response.setHeader('connection', 'close').end(String(process.pid)));
server.listen({ fd: 3 });
process.on('SIGTERM', () => server.close(() => process.exit(0)));
`;

const held = (port: number): Declared => ({
  exec: [process.execPath, 'server.mjs'],
  sockets: [{ name: 'http', listen: `127.0.0.1:${port}` }],
  deployment: { strategy: 'rolling', grace_period: '500ms' },
});

/** Asks until it is told to stop; how many were answered, and how many were not. */
const asking = (port: number): (() => Promise<{ answered: number; refused: number }>) => {
  let over = false;
  const counts = { answered: 0, refused: 0 };
  const ask = async (): Promise<void> => {
    while (!over)
      try {
        await (await fetch(`http://127.0.0.1:${port}/`)).text();
        counts.answered += 1;
      } catch {
        counts.refused += 1;
      }
  };
  const done = Promise.all([ask(), ask()]);
  return async () => {
    over = true;
    await done;
    return counts;
  };
};

describe('a service with a held socket', () => {
  scenario(
    'rolls on its fixed port, and nobody is refused, after the death of its supervisor too',
    async (stage) => {
      const port = await freePort();
      stage.write('server.mjs', SERVER);
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
