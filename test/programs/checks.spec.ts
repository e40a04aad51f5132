// Real servers that are checked by port, by a line of output and by a command: killed, hung, closed and restarted.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { ServiceDocument } from '../../src/streams/wire/documents/documents.ts';
import { eventually } from '../scenarios/support/eventually.ts';
import { freePort } from '../scenarios/support/free-port.ts';
import { asNobody, NOBODY } from '../scenarios/support/privileged.ts';
import { everybody, isSame, type Process } from '../scenarios/support/process-table.ts';
import { expectDone, glance, pass, serviceIn, started } from '../scenarios/support/witnesses.ts';
import { librariesOf, unpackedPackages } from './packages.ts';
import type { Declared } from '../scenarios/support/recipes.ts';
import type { Stage } from '../scenarios/support/stage.ts';

const at = unpackedPackages();

const QUICK: Declared = { restart_policy: 'always', backoff: '100ms', stop_timeout: '3s' };
const OFTEN: Declared = { interval: '300ms', attempt_timeout: '1s', retries: 2 };
const UP = { redis: 'running', nginx: 'running', postgres: 'running' } as const;
type Name = keyof typeof UP;
const NAMES = ['redis', 'nginx', 'postgres'] as const;

interface Shop {
  readonly stage: Stage;
  readonly ports: Readonly<Record<Name, number>>;
}

const environmentOf = (): Readonly<Record<string, string>> => ({ LD_LIBRARY_PATH: librariesOf(at) });

const asUser = (program: string, ...args: readonly string[]): string =>
  execFileSync('setpriv', [...NOBODY.through.slice(1), program, ...args], {
    encoding: 'utf8',
    env: { ...process.env, ...environmentOf() },
  });

const redisCli = ({ stage }: Shop, ...args: readonly string[]): string =>
  asUser(at('usr/bin/redis-cli'), '-s', join(stage.work, 'socket'), ...args).trim();

const query = ({ stage, ports }: Shop, sql: string): string =>
  asUser(
    at('usr/lib/postgresql/15/bin/psql'),
    ...['-h', stage.work, '-p', String(ports.postgres), '-U', 'nobody', '-d', 'postgres', '-Atc', sql],
  ).trim();

const redis = ({ stage, ports }: Shop): Declared => ({
  ...QUICK,
  exec: [
    ...[at('usr/bin/redis-server'), '--port', String(ports.redis), '--dir', stage.work],
    ...['--unixsocket', join(stage.work, 'socket'), '--appendonly', 'yes'],
  ],
  deployment: { health_check: { tcp: ports.redis, liveness: { tcp: ports.redis, ...OFTEN } } },
});

const nginx = ({ stage, ports }: Shop): Declared => {
  const { work } = stage;
  const conf = stage.write(
    'nginx.conf',
    `daemon off; pid ${work}/pid; error_log stderr; events {}
     http { access_log off; client_body_temp_path ${work}/b; proxy_temp_path ${work}/p;
       fastcgi_temp_path ${work}/f; uwsgi_temp_path ${work}/u; scgi_temp_path ${work}/s;
       server { listen 127.0.0.1:${ports.nginx}; location / { return 200 "served"; } } }`,
  );
  const address = `http://127.0.0.1:${ports.nginx}/`;
  return {
    ...QUICK,
    exec: [at('usr/sbin/nginx'), '-p', work, '-c', conf, '-e', 'stderr'],
    deployment: { health_check: { tcp: ports.nginx, liveness: { url: address, ...OFTEN } } },
  };
};

const postgres = ({ stage, ports }: Shop): Declared => {
  const bin = at('usr/lib/postgresql/15/bin');
  const data = join(stage.work, 'db');
  const ready = `${bin}/pg_isready -q -t 1 -h ${stage.work} -p ${ports.postgres}`;
  return {
    ...QUICK,
    stop_signal: 'SIGINT',
    exec: [`${bin}/postgres`, '-D', data, '-k', stage.work, '-p', String(ports.postgres)],
    deployment: {
      health_check: {
        log: 'ready to accept connections$',
        liveness: { command: ready, ...OFTEN, attempt_timeout: '5s' },
      },
    },
  };
};

/** All three run, and have answered. */
const opened = async (stage: Stage): Promise<Shop> => {
  const shop = {
    stage,
    ports: { redis: await freePort(), nginx: await freePort(), postgres: await freePort() },
  };
  const data = join(stage.work, 'db');
  asUser(
    at('usr/lib/postgresql/15/bin/initdb'),
    ...['-D', data, '-L', at('usr/share/postgresql/15'), '-A', 'trust', '-U', 'nobody'],
  );
  await started(stage, {
    env: { vars: environmentOf() },
    services: { redis: redis(shop), nginx: nginx(shop), postgres: postgres(shop) },
  });
  return shop;
};

const expectAnswers = async (shop: Shop): Promise<void> => {
  expect(redisCli(shop, 'ping')).toBe('PONG');
  expect(await (await fetch(`http://127.0.0.1:${shop.ports.nginx}/`)).text()).toBe('served');
  expect(query(shop, 'select 6 * 7')).toBe('42');
};

/**
 * The processes of a run: the main process and all its descendants. Redis and nginx overwrite their environment with a
 * title, so the mark in it cannot be read.
 */
const treeOf = ({ pid }: ServiceDocument): readonly Process[] => {
  const all = everybody();
  const below = (parents: readonly Process[]): readonly Process[] => {
    const children = all.filter(({ parent }) => parents.some((one) => one.pid === parent));
    return children.length === 0 ? parents : [...parents, ...below(children)];
  };
  return below(all.filter((one) => one.pid === pid));
};

const runningIn = async (stage: Stage): Promise<Readonly<Record<Name, ServiceDocument>>> => {
  await pass(stage, UP);
  const document = await glance(stage);
  const [redis, nginx, postgres] = NAMES.map((name) => serviceIn(document, name));
  return { redis, nginx, postgres } as Readonly<Record<Name, ServiceDocument>>;
};

/** The service once a later run of it is ready. */
const again = (stage: Stage, name: Name, before: ServiceDocument): Promise<ServiceDocument> =>
  eventually({
    what: `another run of ${name}`,
    look: async () => {
      const service = serviceIn(await glance(stage), name);
      return service.run > before.run && service.state === 'running' ? service : undefined;
    },
  });

/** Hangs all processes of the service, and returns it once a later run is ready. */
const afterHanging = async (stage: Stage, name: Name, before: ServiceDocument): Promise<ServiceDocument> => {
  treeOf(before).forEach(({ pid }) => process.kill(pid, 'SIGSTOP'));
  return again(stage, name, before);
};

asNobody(
  'servers whose main process is killed come back, leave nothing, and keep what they stored',
  async (stage) => {
    const shop = await opened(stage);
    await expectAnswers(shop);
    redisCli(shop, 'set', 'order', '17');
    query(shop, 'create table orders (number bigint); insert into orders values (17)');

    const before = await runningIn(stage);
    const trees = NAMES.flatMap((name) => treeOf(before[name]));
    // Nginx has a worker, and PostgreSQL several processes.
    expect(trees.length).toBeGreaterThan(NAMES.length);
    NAMES.forEach((name) => process.kill(before[name].pid ?? 0, 'SIGKILL'));
    for (const name of NAMES)
      expect(await again(stage, name, before[name])).toMatchObject({
        restarts: 1,
        last_exit: { signal: 'SIGKILL' },
        health: 'healthy',
      });
    expect(trees.filter(isSame)).toEqual([]);
    await expectAnswers(shop);
    expect(redisCli(shop, 'get', 'order')).toBe('17');
    expect(query(shop, 'select number from orders')).toBe('17');

    expectDone(await stage.sup('restart', '--all'));
    await runningIn(stage);
    await expectAnswers(shop);
  },
);

asNobody(
  'servers that hang or close their port are found by liveness, and sup why says so',
  async (stage) => {
    const shop = await opened(stage);
    const before = await runningIn(stage);

    const failures = {
      nginx: (await afterHanging(stage, 'nginx', before.nginx)).last_failure,
      postgres: (await afterHanging(stage, 'postgres', before.postgres)).last_failure,
    };
    expect(failures).toMatchObject({
      nginx: { error: { code: 'ERR0023' } },
      postgres: { error: { code: 'ERR0104' } },
    });
    expect(redisCli(shop, 'config', 'set', 'port', '0')).toBe('OK');
    expect((await again(stage, 'redis', before.redis)).last_failure).toMatchObject({
      error: { code: 'ERR0022' },
    });
    await expectAnswers(shop);
    expect((await stage.sup('why', 'redis')).stdout).toContain('liveness asks it every 300 ms');
  },
);
