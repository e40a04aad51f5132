// Needs the native addon.
// Held sockets: a service with a fixed port rolls out without a refused client; a path exists while it is held.
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { asking, HELD_SERVER } from '../support/asking.ts';
import { holds } from '../support/eventually.ts';
import { freePort, isListening } from '../support/free-port.ts';
import { killSupervisor, killWith } from '../support/own-death.ts';
import { loose, project, steady, type Declared } from '../support/recipes.ts';
import { serviceOf } from '../support/rollouts.ts';
import { scenario } from '../support/scenario.ts';
import { agree, errorOf, expectDone, started } from '../support/witnesses.ts';

const held = (port: number): Declared => ({
  exec: [process.execPath, 'server.mjs'],
  sockets: [{ name: 'http', listen: `127.0.0.1:${port}` }],
  deployment: { strategy: 'rolling', grace_period: '500ms' },
});

describe('a service with a held socket', () => {
  scenario(
    'a service with a held socket rolls on its fixed port without a refused connection, also after its supervisor was killed',
    async (stage) => {
      const port = await freePort();
      stage.write('server.mjs', HELD_SERVER);
      await started(stage, project('shop', { web: held(port) }));
      const [web] = (await stage.inspect('web')).services;
      const listening = { protocol: 'tcp', address: '127.0.0.1', port, pid: web?.pid };
      expect(web?.listening).toEqual([listening]);
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

/** Passes its socket on to a child process and closes its own. */
const FRONT = `
import { spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
const worker = spawn(process.execPath, ['worker.mjs'], { stdio: ['ignore', 'inherit', 'inherit', 3] });
closeSync(3);
worker.on('exit', () => process.exit(0));
process.on('SIGTERM', () => worker.kill());
`;

describe('a service whose child has its held socket', () => {
  scenario(
    'a service whose child has the socket rolls after its supervisor was killed without a refused connection',
    async (stage) => {
      const port = await freePort();
      stage.write('server.mjs', HELD_SERVER);
      stage.write(
        'worker.mjs',
        "process.env.LISTEN_PID = String(process.pid);\nawait import('./server.mjs');",
      );
      stage.write('front.mjs', FRONT);
      const web = { ...held(port), exec: [process.execPath, 'front.mjs'] };
      await started(stage, project('shop', { web }));
      await holds('it answers', () => isListening(port));
      const stop = asking(port);
      await killSupervisor(stage);
      expectDone(await stage.sup('restart'));
      const { answered, refused } = await stop();
      expect(refused).toBe(0);
      expect(answered).toBeGreaterThan(0);
      expect((await serviceOf(stage, 'shop/web')).run).toBe(2);
      expectDone(await stage.sup('stop'));
      expect(await isListening(port)).toBe(false);
    },
  );
});

describe('a service with a held socket at a path', () => {
  const listening = (listen: string): Declared =>
    loose({ web: steady({ sockets: [{ name: 'http', listen }] }) });

  scenario('a held socket at a path is removed by a stop without a supervisor', async (stage) => {
    const path = join(stage.root, 'w.sock');
    await started(stage, listening(path));
    await killSupervisor(stage);
    expectDone(await stage.sup('stop'));
    expect(existsSync(path)).toBe(false);
  });

  scenario(
    'a held socket at a path is opened again after a stop and after all processes were killed',
    async (stage) => {
      const path = join(stage.root, 'w.sock');
      await started(stage, listening(path));
      expectDone(await stage.sup('stop'));
      expect(existsSync(path)).toBe(false);
      expectDone(await stage.sup('start', '--daemonize'));
      const { web: running } = await agree(stage, { web: 'running' });
      await killWith(stage, [running]);
      expect(existsSync(path)).toBe(true);
      expectDone(await stage.sup('start', '--daemonize'));
      await agree(stage, { web: 'running' });
      expectDone(await stage.sup('shutdown'));
      expect(existsSync(path)).toBe(false);
    },
  );

  scenario(
    'a service is not started if another process has its port, and the error names it',
    async (stage) => {
      const other = createServer().listen(0, '127.0.0.1');
      await once(other, 'listening');
      const { port } = other.address() as AddressInfo;
      try {
        stage.declare(loose({ web: held(port) }));
        const error = errorOf(await stage.sup('start', '--daemonize', '--json'));
        expect(error.message).toContain(`port ${port} is held by pid ${process.pid}`);
      } finally {
        other.close();
      }
    },
  );

  scenario(
    'a service is not started if another process listens at its path, and the error names it',
    async (stage) => {
      const path = join(stage.root, 'w.sock');
      const other = createServer().listen(path);
      try {
        stage.declare(listening(path));
        const error = errorOf(await stage.sup('start', '--daemonize', '--json'));
        expect(error).toMatchObject({ code: 'ERR0113', path: 'web' });
        expect(error.message).toContain(
          `sockets: ${path} cannot be opened (bind: EADDRINUSE): it is held by pid ${process.pid}`,
        );
        expect(error.hint).toContain(`ps -fp ${process.pid}`);
        expectDone(await stage.sup('stop'));
        expect(existsSync(path)).toBe(true);
      } finally {
        other.close();
      }
    },
  );
});
