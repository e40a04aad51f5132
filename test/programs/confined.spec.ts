// Real programs under everything at once: a user of their own, one capability or none, `baseline` that kills, Landlock,
// with `protect: strict` and without.
// `npm run programs`, as root.
import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { eventually } from '../scenarios/support/eventually.ts';
import { asRoot, capabilitiesOf, idOf, runningSys, statusLine } from '../scenarios/support/privileged.ts';
import { librariesOf, unpackedPackages } from './packages.ts';

const SYSTEM = ['/usr', '/bin', '/lib', '/lib64', '/etc', '/proc', '/sys', '/dev'];
const WEB = 33;
const NOBODY = 65534;
const BIND = 1n << 10n;
const KILLING = { profile: 'baseline', action: 'kill' };

const at = unpackedPackages();

const home = (work: string, owner: number): string => {
  const path = join(work, 'home');
  mkdirSync(path, { mode: 0o700 });
  chownSync(path, owner, owner);
  return path;
};

/** What a command prints, once it succeeds. */
const answer = (program: string, ...args: readonly string[]): Promise<string> =>
  eventually({
    what: `${program} ${args.join(' ')}`,
    look: () => {
      try {
        return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
      } catch {
        return undefined;
      }
    },
  });

const expectConfined = (pid: number, uid: number, capabilities: bigint): void => {
  expect(idOf(pid, 'Uid')).toBe(uid);
  expect(statusLine(pid, 'Seccomp')).toEqual(['2']);
  expect(capabilitiesOf(pid)).toEqual(Array.from({ length: 5 }, () => capabilities));
};

describe.each(['off', 'strict'] as const)('confined as a service, with protect: %s', (protect) => {
  asRoot('nginx serves at port 80 as www-data', async (stage) => {
    const own = home(stage.work, WEB);
    const conf = stage.write(
      'nginx.conf',
      `daemon off; pid ${own}/pid; error_log stderr; worker_processes 2; events {}
       http { access_log /dev/stdout; client_body_temp_path ${own}/b; proxy_temp_path ${own}/p;
         fastcgi_temp_path ${own}/f; uwsgi_temp_path ${own}/u; scgi_temp_path ${own}/s;
         server { listen 127.0.0.1:80; location / { return 200 "served"; } } }`,
    );
    const { nginx } = await runningSys(stage, {
      nginx: {
        exec: [at('usr/sbin/nginx'), '-p', own, '-c', conf, '-e', 'stderr'],
        user: 'www-data',
        capabilities: ['NET_BIND_SERVICE'],
        isolation: {
          protect,
          network: true,
          seccomp: KILLING,
          landlock: { ro_paths: [...SYSTEM, at(), stage.work], rw_paths: [own, '/dev/null'] },
        },
      },
    });
    expectConfined(nginx, WEB, BIND);
    expect(await answer('nsenter', '-t', String(nginx), '-n', 'curl', '-s', 'http://127.0.0.1/')).toBe(
      'served',
    );
  });

  asRoot('redis keeps and saves as nobody', async (stage) => {
    const own = home(stage.work, NOBODY);
    const lib = librariesOf(at);
    const socket = join(own, 'socket');
    const { redis } = await runningSys(stage, {
      redis: {
        exec: [at('usr/bin/redis-server'), '--port', '0', '--unixsocket', socket, '--dir', own],
        env: { vars: { LD_LIBRARY_PATH: lib } },
        user: 'nobody',
        capabilities: [],
        isolation: {
          protect,
          seccomp: KILLING,
          landlock: { ro_paths: [...SYSTEM, at()], rw_paths: [own, '/dev/null'] },
        },
      },
    });
    expectConfined(redis, NOBODY, 0n);
    const cli = ['env', `LD_LIBRARY_PATH=${lib}`, at('usr/bin/redis-cli'), '-s', socket] as const;
    expect(await answer(...cli, 'set', 'key', 'value')).toBe('OK\n');
    expect(await answer(...cli, 'save')).toBe('OK\n');
    expect(existsSync(join(own, 'dump.rdb'))).toBe(true);
  });

  asRoot('postgres answers a query as nobody', async (stage) => {
    const own = home(stage.work, NOBODY);
    const bin = at('usr/lib/postgresql/15/bin');
    const { postgres } = await runningSys(stage, {
      postgres: {
        command: `${bin}/initdb -D ${own}/db -L ${at('usr/share/postgresql/15')} -A trust && exec ${bin}/postgres -D ${own}/db -k ${own} -c listen_addresses= -c dynamic_library_path=${at('usr/lib/postgresql/15/lib')}`,
        user: 'nobody',
        capabilities: [],
        isolation: {
          protect,
          seccomp: KILLING,
          landlock: { ro_paths: [...SYSTEM, at()], rw_paths: [own, '/dev/null', '/dev/shm', '/tmp'] },
        },
      },
    });
    expectConfined(postgres, NOBODY, 0n);
    const query = ['-h', own, '-U', 'nobody', '-d', 'postgres', '-Atc', 'select 6 * 7'];
    expect(await answer(`${bin}/psql`, ...query)).toBe('42\n');
  });

  const NODE_SERVER = `import { createServer } from 'node:http';
    createServer((_, response) => response.end('served')).listen(80, '127.0.0.1');`;
  const PYTHON_SERVER = `from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b'served')
ThreadingHTTPServer(('127.0.0.1', 80), Handler).serve_forever()`;

  for (const [name, program, file, source] of [
    ['node', process.execPath, 'server.mjs', NODE_SERVER],
    ['python', '/usr/bin/python3', 'server.py', PYTHON_SERVER],
  ] as const)
    asRoot(`${name} serves many at port 80 as www-data`, async (stage) => {
      const script = stage.write(file, source);
      const { web } = await runningSys(stage, {
        web: {
          exec: [program, script],
          user: 'www-data',
          capabilities: ['NET_BIND_SERVICE'],
          isolation: {
            protect,
            network: true,
            pid: true,
            seccomp: KILLING,
            landlock: { ro_paths: [...SYSTEM, stage.work], rw_paths: ['/dev/null'] },
          },
        },
      });
      expectConfined(web, WEB, BIND);
      const urls = Array.from({ length: 20 }, () => 'http://127.0.0.1/');
      expect(await answer('nsenter', '-t', String(web), '-n', 'curl', '-s', '-Z', ...urls)).toBe(
        'served'.repeat(urls.length),
      );
    });
});
