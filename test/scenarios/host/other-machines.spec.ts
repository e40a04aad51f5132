// `--host` with the ssh and the sshd of the machine, on loopback.
import { expect } from 'vitest';
import type { Outcome } from '../support/command.ts';
import { eventually, holds } from '../support/eventually.ts';
import { serviceLog } from '../support/logs.ts';
import { project, shell, steady } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import { machinesFor } from '../support/ssh-server.ts';
import type { Stage } from '../support/stage.ts';
import { expectDone, expectFailed } from '../support/witnesses.ts';

type Sup = (...args: readonly string[]) => Promise<Outcome>;
type Machines = Awaited<ReturnType<typeof machinesFor>>;

const withMachines =
  (play: (stage: Stage, machines: Machines, sup: Sup) => Promise<void>) =>
  async (stage: Stage): Promise<void> => {
    const machines = await machinesFor(stage);
    try {
      await play(stage, machines, (...args) => machines.begin(...args).ended);
    } finally {
      machines.close();
    }
  };

const MANIFEST = project('shop', {
  web: shell('while sleep 0.2; do echo tick; done'),
  db: steady(),
});

scenario(
  'a command on another machine does there what it does here',
  withMachines(async (stage, { begin }, sup) => {
    const box = ['--host', 'box'];
    const file = stage.declare(MANIFEST);
    expectDone(await sup('start', '--daemonize', '-c', file, ...box));
    const here = await stage.status();
    // Again, if the records answered for a busy supervisor.
    const there = await eventually({
      what: 'the same status as here',
      look: async () => {
        const outcome = await sup('status', '--json', ...box);
        return outcome.status === here.status ? outcome : undefined;
      },
    });
    const shape = ({ projects }: typeof here.document): unknown =>
      projects.map(({ services, ...rest }) => ({
        ...rest,
        services: services.map(({ name, pid, run }) => [name, pid, run]),
      }));
    expect(shape(JSON.parse(there.stdout) as typeof here.document)).toEqual(shape(here.document));

    const logs = begin('logs', '-f', 'shop/web', ...box);
    const events = begin('events', '-f', '-n', '1', ...box);
    await eventually({
      what: 'a line of the log, and the last event',
      look: () => (/tick/.test(logs.stdout()) && events.stdout().includes('\n') ? true : undefined),
    });
    expectDone(await sup('restart', 'shop/web', ...box));
    await eventually({
      what: 'an event of the restart',
      look: () => (/shop\/web running → stopping/.test(events.stdout()) ? true : undefined),
      instead: events.stdout,
    });
    logs.child.kill('SIGINT');
    events.child.kill('SIGINT');
    expect((await logs.ended).status).toBe(0);
    expect((await events.ended).status).toBe(0);

    stage.declare(project('shop', { web: steady(), db: steady() }));
    expect((await sup('plan', '-c', file, ...box)).status).toBe(2);
    expectDone(await sup('apply', '-c', file, ...box));
    expect((await sup('plan', '-c', file, ...box)).status).toBe(0);
    expectFailed(await sup('restart', 'nix', ...box), 'ERR0202');
    expect((await sup('status', '--host', `box:${stage.root}/none`)).status).toBe(3);
    expectDone(await sup('shutdown', ...box));
    expect((await sup('status', ...box)).status).toBe(3);
  }),
);

scenario(
  'a manifest from standard input of this machine is read on the other one',
  withMachines(async (stage, { beginWith }, sup) => {
    // Larger than one message; one of them is broken after that.
    const comment = `# ${'x'.repeat(98)}\n`.repeat(20_000);
    const text = JSON.stringify({ version: '2', ...MANIFEST });
    const valid = stage.write('valid.yaml', comment + text);
    const broken = stage.write('broken.yaml', comment + text.replace('"services"', '"servces"'));
    const box = ['--host', 'box'];
    expectDone(await beginWith(valid, 'validate', '-', ...box).ended);
    const config = await beginWith(valid, 'config', '-c', '-', '--json', ...box).ended;
    expect(JSON.parse(config.stdout)).toMatchObject({
      schema: 'sup.config/1',
      config: { projects: { shop: {} } },
    });
    const wrong = await beginWith(broken, 'validate', '-', ...box, '--host', 'closed').ended;
    expect(wrong.stderr).toMatch(/^box .*ERR0211 /m);
    expect(wrong.stderr).toMatch(/^box .*<stdin>:\d{5}:/m);
    expect(wrong.stderr).toMatch(/^closed .*ERR0231 /m);
    expectFailed(await sup('start', '-c', '-', ...box), 'ERR0244', 2);
    expect((await sup('status', ...box)).status).toBe(3);
  }),
);

scenario(
  'each failure of a connection has its error, and one machine hides no other',
  withMachines(async (stage, _, sup) => {
    expectDone(await sup('start', '--daemonize', '-c', stage.declare(MANIFEST), '--host', 'box'));
    expectFailed(await sup('status', '--host', 'closed'), 'ERR0231');
    const locked = await sup('status', '--host', 'locked');
    expectFailed(locked, 'ERR0231');
    expect(locked.stderr).toContain('Permission denied');
    expectFailed(await sup('status', '--host', 'bare'), 'ERR0233');
    expectFailed(await sup('status', '--host', 'old'), 'ERR0234');
    const both = await sup('status', '--host', 'mute', '--host', 'box');
    expect(both.stderr).toMatch(/^mute {2}ERR0236 /m);
    expect(both.stdout).toMatch(/^box {3}shop\/web +running/m);
    expect(both.status).toBe(1);
    expectFailed(await sup('start', '-c', 'sup.yaml', '--host', 'box'), 'ERR0200', 2);
  }),
);

scenario(
  'a lost connection is no result',
  withMachines(async (stage, { begin, cut }, sup) => {
    expectDone(await sup('start', '--daemonize', '-c', stage.declare(MANIFEST), '--host', 'box'));
    const logs = begin('logs', '-f', 'shop/web', '--host', 'box');
    await eventually({
      what: 'a line of the log',
      look: () => (/tick/.test(logs.stdout()) ? true : undefined),
    });
    cut();
    expectFailed(await logs.ended, 'ERR0235');
    // A stop that takes long: the connection is cut while it waits.
    stage.declare(
      project('shop', {
        web: shell('trap "" TERM; while sleep 0.2; do echo stay; done', { stop_timeout: '5s' }),
      }),
    );
    expectDone(await sup('apply', '--host', 'box', '-c', stage.work + '/sup.yaml'));
    await holds('its trap set', () => serviceLog(stage, 'shop/web').some((line) => line.endsWith(' stay')));
    const stop = begin('stop', 'shop/web', '--host', 'box');
    await eventually({
      what: 'the service to be stopping',
      look: async () =>
        (await stage.status()).document.projects[0]?.services[0]?.state === 'stopping' ? true : undefined,
    });
    cut();
    const lost = await stop.ended;
    expectFailed(lost, 'ERR0235');
    expect(lost.stderr).toContain('what came of stop is not known');
  }),
);
