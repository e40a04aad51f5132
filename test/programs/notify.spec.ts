// Real programs that report themselves by sd_notify: PostgreSQL and Redis, python3-systemd, Node and the shell with
// systemd-notify. They are killed and hung, and so is their supervisor.
import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { expect } from 'vitest';
import type { ServiceDocument } from '../../src/streams/wire/documents/documents.ts';
import { eventually, holds } from '../scenarios/support/eventually.ts';
import { freePort } from '../scenarios/support/free-port.ts';
import { supervisorPid } from '../scenarios/support/own-death.ts';
import { asNobody, NOBODY } from '../scenarios/support/privileged.ts';
import {
  come,
  expectDone,
  expectFailed,
  glance,
  pass,
  serviceIn,
  servicesOf,
} from '../scenarios/support/witnesses.ts';
import { loose, steady, type Declared } from '../scenarios/support/recipes.ts';
import { fullName, type Stage } from '../scenarios/support/stage.ts';
import { librariesOf, unpackedPackages } from './packages.ts';

const at = unpackedPackages();
const file = (name: string): string => resolve('test/programs/notify', name);
const python = (name: string, ...args: readonly string[]): readonly string[] => [
  ...['/usr/bin/python3', file(name)],
  ...args,
];

const notifying = (liveness?: Declared): Declared => ({
  ...{ restart_policy: 'always', backoff: '100ms', stop_timeout: '3s' },
  deployment: { health_check: { notify: true, total_timeout: '60s', ...(liveness && { liveness }) } },
});

const WATCHED = ['python', 'node'] as const;
/** Messages that take longer than the watchdog. */
const BEATS = { python: 60, node: 20 } as const;
const GATED = [...WATCHED, 'sh'] as const;
const NAMES = [...GATED, 'postgres', 'redis'] as const;
const UP = Object.fromEntries(NAMES.map((name) => [name, 'running'] as const));

interface Ports {
  readonly python: number;
  readonly node: number;
}

const programsIn = ({ work }: Stage, ports: Ports): Readonly<Record<(typeof NAMES)[number], Declared>> => {
  const bin = at('usr/lib/postgresql/15/bin');
  return {
    python: { ...notifying({ watchdog: '5s' }), exec: python('server.py', 'python', String(ports.python)) },
    node: {
      ...notifying({ watchdog: '5s' }),
      exec: [process.execPath, file('server.mjs'), 'node', String(ports.node)],
    },
    sh: { ...notifying(), exec: ['sh', file('script.sh'), 'sh'] },
    postgres: {
      ...notifying(),
      stop_signal: 'SIGINT',
      // PostgreSQL does not start while the pid of a killed orphan is there, and init may take seconds to reap it.
      backoff: '4s',
      exec: [`${bin}/postgres`, '-D', join(work, 'db'), '-k', work, '-c', 'listen_addresses='],
    },
    redis: {
      ...notifying(),
      exec: [
        ...[at('usr/bin/redis-server'), '--supervised', 'systemd', '--port', '0'],
        ...['--unixsocket', join(work, 'socket'), '--dir', work],
      ],
    },
  };
};

const vars = (): Declared => ({
  vars: { LD_LIBRARY_PATH: librariesOf(at), PYTHONPATH: at('usr/lib/python3/dist-packages') },
});

/** Declares all programs and what depends on them. */
const declared = async (stage: Stage): Promise<Ports> => {
  const initdb = [at('usr/lib/postgresql/15/bin/initdb'), '-D', join(stage.work, 'db')];
  execFileSync('setpriv', [
    ...NOBODY.through.slice(1),
    ...initdb,
    ...['-L', at('usr/share/postgresql/15'), '-A', 'trust'],
  ]);
  const ports = { python: await freePort(), node: await freePort() };
  const services = { ...programsIn(stage, ports), next: steady({ depends_on: [...NAMES] }) };
  stage.declare({ ...loose(services), env: vars() });
  return ports;
};

const letGo = (stage: Stage): void => GATED.forEach((name) => void stage.write(`${name}.go`, ''));

const serviceOf = async (stage: Stage, name: string): Promise<ServiceDocument> =>
  serviceIn(await glance(stage), name);

const reasonOf = async (stage: Stage, name: string): Promise<string> =>
  servicesOf(await glance(stage)).get(fullName(name))?.reason ?? '';

const reasonComes = (stage: Stage, name: string, text: string): Promise<void> =>
  holds(`"${text}" as the reason of ${name}`, async () => (await reasonOf(stage, name)).includes(text));

/** The number of `WATCHDOG=1` that the program says it has sent. */
const beatsOf = async (stage: Stage, name: string): Promise<number> =>
  Number(/beat (\d+)/.exec(await reasonOf(stage, name))?.[1] ?? -1);

const runningIn = async (stage: Stage): Promise<readonly ServiceDocument[]> => {
  await pass(stage, { ...UP, next: 'running' });
  const document = await glance(stage);
  return NAMES.map((name) => serviceIn(document, name));
};

/** Each service once a later run of it is ready. */
const again = (stage: Stage, before: readonly ServiceDocument[]): Promise<readonly ServiceDocument[]> =>
  eventually({
    what: `another run of ${before.map(({ name }) => name).join(', ')}`,
    look: async () => {
      const document = await glance(stage);
      const now = before.map(({ name }) => serviceIn(document, name));
      return now.every(({ run, state }, place) => run > (before[place]?.run ?? 0) && state === 'running')
        ? now
        : undefined;
    },
    instead: () => before,
  });

const signal = (services: readonly ServiceDocument[], name: NodeJS.Signals): void =>
  services.forEach(({ pid }) => process.kill(pid ?? 0, name));

asNobody('programs are ready when they say so, and tell what they do', async (stage) => {
  const ports = await declared(stage);
  const start = stage.begin(['start', '--daemonize']);
  for (const name of GATED) await reasonComes(stage, name, 'waits for its READY=1; "Loading"');
  for (const port of [ports.python, ports.node])
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('served');
  await pass(stage, { python: 'starting', node: 'starting', sh: 'starting', next: 'waiting' });
  await pass(stage, { postgres: 'running', redis: 'running' });
  await reasonComes(stage, 'redis', 'Ready to accept connections');
  letGo(stage);
  expectDone(await start.ended);
  for (const name of GATED) await reasonComes(stage, name, 'Serving');
  expect((await stage.sup('why', 'python')).stdout).toContain('Serving');

  signal([await serviceOf(stage, 'python')], 'SIGHUP');
  expectDone(await stage.sup('stop', 'postgres', 'redis'));
  await holds('the events', async () => {
    const { stdout } = await stage.sup('events');
    return [/python event .*RELOADING=1/, /postgres .*STOPPING=1/, /redis .*STOPPING=1/].every((one) =>
      one.test(stdout),
    );
  });
});

asNobody(
  'programs that are killed or hang come back; the death of their supervisor changes nothing for them',
  async (stage) => {
    await declared(stage);
    letGo(stage);
    expectDone(await stage.sup('start', '--daemonize'));
    const first = await runningIn(stage);

    process.kill(await supervisorPid(stage), 'SIGKILL');
    const beats = await Promise.all(WATCHED.map((name) => beatsOf(stage, name)));
    // More than one watchdog lasts.
    for (const [place, name] of WATCHED.entries())
      await holds(
        `beats of ${name}`,
        async () => (await beatsOf(stage, name)) > (beats[place] ?? 0) + BEATS[name],
      );
    const adopted = await runningIn(stage);
    expect(adopted.map(({ name, pid, run }) => [name, pid, run])).toEqual(
      first.map(({ name, pid }) => [name, pid, 1]),
    );

    const hung = adopted.filter(({ name }) => WATCHED.some((one) => one === name));
    signal(hung, 'SIGSTOP');
    for (const { last_failure: failure } of await again(stage, hung))
      expect(failure).toMatchObject({ error: { code: 'ERR0024', liveness: true } });

    const before = await runningIn(stage);
    signal(before, 'SIGKILL');
    for (const { last_exit: exit, health } of await again(stage, before))
      expect([exit?.signal, health]).toEqual(['SIGKILL', 'healthy']);
  },
);

asNobody('a start may take as long as the program asks for more time', async (stage) => {
  const slow = (...args: readonly string[]): Declared => ({
    exec: python('slow.py', ...args),
    ...{ restart_policy: 'never', stop_timeout: '1s' },
    deployment: { health_check: { notify: true, total_timeout: '1s' } },
  });
  const services = { ready: slow('5', 'ready'), silent: slow('2', 'silent') };
  stage.declare({ ...loose(services), env: vars() });
  expectFailed(await stage.sup('start', '--daemonize'), 'ERR0104');
  const { ready, silent } = await come(stage, { ready: 'running', silent: 'failed' });
  expect(ready.reason).toContain('Migrated');
  expect(silent.error).toMatchObject({ code: 'ERR0104' });
});
