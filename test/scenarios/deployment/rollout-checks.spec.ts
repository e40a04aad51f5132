// Needs the native addon.
// Which process answers a check during a rollout: a pass counts for the candidate only if the candidate itself gave it.
import { describe, expect } from 'vitest';
import { HELD_SERVER } from '../support/asking.ts';
import { holds } from '../support/eventually.ts';
import { freePort, isListening } from '../support/free-port.ts';
import { program, project, shell, type Declared } from '../support/recipes.ts';
import { serviceOf } from '../support/rollouts.ts';
import { scenario } from '../support/scenario.ts';
import { agree, expectDone, started } from '../support/witnesses.ts';

const check = (url: string): Declared => ({ url, interval: '200ms', attempt_timeout: '15s', retries: 2 });

const held = (port: number, exec: readonly string[], retries = 2): Declared => ({
  exec,
  stop_timeout: '2s',
  sockets: [{ name: 'http', listen: `127.0.0.1:${port}` }],
  deployment: { strategy: 'rolling', health_check: { ...check(`http://127.0.0.1:${port}/`), retries } },
});

const NODE = [process.execPath, 'server.mjs'];

/** Closes each connection right after its answer. */
const PYTHON_SERVER = `
import os, socket
from http.server import BaseHTTPRequestHandler, HTTPServer
class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(str(os.getpid()).encode())
server = HTTPServer(('127.0.0.1', 0), Handler, bind_and_activate=False)
server.socket = socket.socket(fileno=3)
server.serve_forever()
`;

describe('a held socket, which both runs of a rollout share', () => {
  scenario('a hung release with a held socket does not pass by answers of the old run', async (stage) => {
    const port = await freePort();
    stage.write('server.mjs', HELD_SERVER);
    await started(stage, project('shop', { web: held(port, NODE) }));
    const { pid } = await serviceOf(stage, 'shop/web');
    stage.declare(project('shop', { web: held(port, ['sleep', '1000']) }));
    const outcome = await stage.sup('restart');
    expect(outcome.status).toBe(1);
    expect(outcome.stderr).toMatch(
      /ERR0115 shop\/web: .*none of \d+ connections was accepted by the candidate/,
    );
    expect(outcome.stderr).toContain('give health_check a port of its own, or a command');
    expect((await agree(stage, { 'shop/web': 'running' }))['shop/web'].pid).toBe(pid);
  });

  scenario(
    'by TCP a hung release with a held socket does not pass, and a healthy one does',
    async (stage) => {
      const port = await freePort();
      stage.write('server.mjs', HELD_SERVER);
      const declared = (exec: readonly string[]): Declared => {
        const rest = held(port, exec);
        const health_check = { tcp: port, interval: '200ms', attempt_timeout: '15s', retries: 10 };
        return project('shop', { web: { ...rest, deployment: { strategy: 'rolling', health_check } } });
      };
      await started(stage, declared(NODE));
      expectDone(await stage.sup('restart'));
      const { pid, run } = await serviceOf(stage, 'shop/web');
      expect(run).toBe(2);
      stage.declare(declared(['sleep', '1000']));
      const outcome = await stage.sup('restart');
      expect(outcome.stderr).toMatch(
        /ERR0115 shop\/web: .*tcp localhost:\d+: none of \d+ connections was accepted/,
      );
      expect((await agree(stage, { 'shop/web': 'running' }))['shop/web'].pid).toBe(pid);
    },
  );

  for (const [name, file, text, exec] of [
    ['of Node', 'server.mjs', HELD_SERVER, NODE],
    ['of Python', 'server.py', PYTHON_SERVER, ['python3', 'server.py']],
  ] as const)
    scenario(
      `a healthy release ${name} passes beside an idle old run, five times in a row`,
      async (stage) => {
        const port = await freePort();
        stage.write(file, text);
        await started(stage, project('shop', { web: held(port, exec, 40) }));
        for (const run of [2, 3, 4, 5, 6]) {
          expectDone(await stage.sup('restart'));
          expect((await serviceOf(stage, 'shop/web')).run).toBe(run);
        }
      },
    );
});

const web = (blueGreen: Declared, more: Declared = {}): Declared =>
  shell('exec sleep 1000', {
    deployment: { blue_green: { slots: ['1', '2'], switch_command: 'true', ...blueGreen }, ...more },
  });

describe('a candidate_health_check by URL', () => {
  scenario(
    'a candidate_health_check by URL does not pass if another process answers at the port of the slot',
    async (stage) => {
      const port = await freePort();
      const candidate_health_check = check(`http://127.0.0.1:${port}/`);
      const stranger = program('server.mjs', [String(port)]);
      await started(
        stage,
        project('shop', {
          stranger,
          web: web({ candidate_health_check }, { health_check: { command: 'true' } }),
        }),
      );
      await holds('the stranger listening', () => isListening(port));
      const { pid } = await serviceOf(stage, 'shop/web');
      const outcome = await stage.sup('restart', 'shop/web');
      expect(outcome.status).toBe(1);
      expect(outcome.stderr).toMatch(/ERR0115 shop\/web: .*held by shop\/stranger/);
      expect(
        (await agree(stage, { 'shop/web': 'running', 'shop/stranger': 'running' }))['shop/web'].pid,
      ).toBe(pid);
    },
  );
});
