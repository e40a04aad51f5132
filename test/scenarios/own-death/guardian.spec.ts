// Needs the native addon.
// The guardian of a resident supervisor: it restarts a killed supervisor, but not one that has ended.
import { readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { connect } from '../../../src/client/client.ts';
import { elsewhere, supOf } from '../support/elsewhere.ts';
import { eventually, holds } from '../support/eventually.ts';
import { killSupervisor, supervisorPid } from '../support/own-death.ts';
import { everybody, isAlive } from '../support/process-table.ts';
import { loose, shell, steady } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import type { Stage } from '../support/stage.ts';
import { guardiansOf, killOnlySupervisor } from '../support/supervisors.ts';
import { agree, come, expectDone, started } from '../support/witnesses.ts';

/** Of the supervisor that answers. */
const answering = async ({ data }: Stage): Promise<number | undefined> => {
  try {
    const client = await connect(data);
    client.close();
    return client.hello.pid;
  } catch {
    return undefined;
  }
};

/** Settles with its pid, once another one than this answers. */
const back = (stage: Stage, before: number): Promise<number> =>
  eventually({
    what: 'a supervisor again',
    look: async () => {
      const pid = await answering(stage);
      return pid === before ? undefined : pid;
    },
  });

/** Those that the supervisor has accepted at its control socket. */
const connections = ({ data }: Stage): number =>
  readFileSync('/proc/net/unix', 'utf8')
    .split('\n')
    .filter((line) => / 03 +\d+ /.test(line) && line.includes(`${data}/c.`)).length;

const NO_RETURN = `if (!process.argv.includes('--restarts=0')) process.kill(process.pid, 'SIGKILL');`;

const SLOW_RETURN = `if (!process.argv.includes('--restarts=0'))
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5000);`;

describe('a supervisor that is killed', () => {
  scenario('a killed supervisor returns by itself with all services, and says so', async (stage) => {
    stage.declare(loose({ web: steady(), db: steady() }));
    expectDone(await stage.sup('start', '--daemonize'));
    const before = await agree(stage, { web: 'running', db: 'running' });
    let pid = await supervisorPid(stage);
    for (const restarts of [1, 2]) {
      killOnlySupervisor(stage);
      pid = await back(stage, pid);
      const { document } = await stage.status();
      expect(document.supervisor).toMatchObject({ pid, restarts, warnings: [] });
    }
    expect((await stage.sup('status')).stdout).toContain('brought back 2 times');
    const after = await agree(stage, { web: 'running', db: 'running' });
    expect([after.web.pid, after.db.pid]).toEqual([before.web.pid, before.db.pid]);
  });

  scenario('a command waits for a killed supervisor to return', async (stage) => {
    await started(stage, loose({ web: steady(), db: steady() }));
    const pid = await supervisorPid(stage);
    killOnlySupervisor(stage);
    expectDone(await stage.sup('stop', '--service', 'web'));
    await agree(stage, { web: 'stopped', db: 'running' });
    expect((await stage.status()).document.supervisor).toMatchObject({ running: true, restarts: 1 });
    expect(await supervisorPid(stage)).not.toBe(pid);
  });

  scenario('a command waits for a killed supervisor that takes five seconds to return', async (stage) => {
    stage.declare(loose({ web: steady(), db: steady() }));
    const sup = elsewhere(stage, 'slow', SLOW_RETURN);
    expectDone(await supOf(stage, sup, 'start', '--daemonize'));
    killOnlySupervisor(stage);
    expectDone(await supOf(stage, sup, 'stop', '--service', 'web'));
    await agree(stage, { web: 'stopped', db: 'running' });
    expect((await stage.status()).document.supervisor).toMatchObject({ running: true, restarts: 1 });
  });

  scenario('sup wait waits for a killed supervisor and continues with the next one', async (stage) => {
    const job = shell('while [ ! -e ready ]; do sleep 0.1; done', { restart_policy: 'never' });
    await started(stage, loose({ job }));
    const pid = await supervisorPid(stage);
    const waiting = stage.begin(['wait', 'job', '--for', 'done', '--timeout', '60s']);
    await holds('its connection', () => connections(stage) === 1);
    killOnlySupervisor(stage);
    await back(stage, pid);
    await holds('its connection to the next one', () => connections(stage) === 1);
    stage.write('ready', '');
    expectDone(await waiting.ended);
  });

  scenario(
    'an attached start waits for a killed supervisor and continues with the next one',
    async (stage) => {
      stage.declare(loose({ web: shell('while :; do echo alive; sleep 0.1; done') }));
      const attached = stage.begin(['start']);
      await holds('the output', () => attached.stdout().includes('alive'));
      await come(stage, { web: 'running' });
      killOnlySupervisor(stage);
      await holds('the next one', () => attached.stderr().includes('another one has taken over'));
      const lines = attached.stdout().length;
      await holds('more output', () => attached.stdout().length > lines);
      attached.child.kill('SIGINT');
      expect((await attached.ended).status).toBe(0);
      await agree(stage, { web: 'stopped' });
    },
  );

  /**
   * Waits for the longest pause of a guardian, each of whose supervisors dies as soon as it has begun. Settles with the
   * pid of the guardian.
   */
  const pausing = async (stage: Stage): Promise<number> => {
    stage.declare(loose({ web: steady() }));
    expectDone(await supOf(stage, elsewhere(stage, 'dying', NO_RETURN), 'start', '--daemonize'));
    const [guardian] = guardiansOf(stage);
    killOnlySupervisor(stage);
    await holds('the longest pause of the guardian', () =>
      everybody().some(({ parent, command }) => parent === guardian?.pid && command === 'sleep 30'),
    );
    expect(guardiansOf(stage).map(({ pid }) => pid)).toEqual([guardian?.pid]);
    expect(stage.members('web')).toHaveLength(1);
    return guardian?.pid ?? 0;
  };

  scenario(
    'a supervisor that is killed repeatedly returns after growing pauses, and a shutdown ends that',
    async (stage) => {
      await pausing(stage);
      expectDone(await stage.sup('shutdown'));
      expect(guardiansOf(stage)).toEqual([]);
      expect(stage.members()).toEqual([]);
    },
  );

  scenario('a start leaves no second guardian of a supervisor that was killed repeatedly', async (stage) => {
    const first = await pausing(stage);
    expectDone(await stage.sup('start', '--daemonize'));
    expect(isAlive(first)).toBe(false);
    expect(guardiansOf(stage)).toHaveLength(1);
    expectDone(await stage.sup('shutdown'));
    expect(guardiansOf(stage)).toEqual([]);
  });

  scenario('a shutdown also ends the pausing guardian of an earlier supervisor', async (stage) => {
    await pausing(stage);
    const other = stage.begin(['supervise']);
    await holds('another supervisor', async () => (await answering(stage)) === other.child.pid);
    expectDone(await stage.sup('shutdown'));
    await other.ended;
    expect(guardiansOf(stage)).toEqual([]);
  });
});

/** Its pid. */
const stoppedGuardian = (stage: Stage): number => {
  const pid = guardiansOf(stage)[0]?.pid ?? 0;
  process.kill(pid, 'SIGSTOP');
  return pid;
};

describe('a guardian', () => {
  scenario('a guardian ends with the orderly end of its supervisor', async (stage) => {
    await started(stage, loose({ web: steady() }));
    const [guardian] = guardiansOf(stage);
    process.kill(await supervisorPid(stage), 'SIGTERM');
    await holds(
      'both gone',
      async () => guardiansOf(stage).length === 0 && (await answering(stage)) === undefined,
    );
    expect(stage.members()).toEqual([]);
    expect(isAlive(guardian?.pid ?? 0)).toBe(false);
  });

  scenario('a guardian that gets SIGTERM ends its supervisor in order', async (stage) => {
    await started(stage, loose({ web: steady() }));
    process.kill(guardiansOf(stage)[0]?.pid ?? 0, 'SIGTERM');
    await holds(
      'both gone',
      async () => guardiansOf(stage).length === 0 && (await answering(stage)) === undefined,
    );
    expect(stage.members()).toEqual([]);
  });

  scenario(
    'a stopped guardian is gone when shutdown returns, with and without a supervisor',
    async (stage) => {
      await started(stage, loose({ web: steady() }));
      const first = stoppedGuardian(stage);
      expectDone(await stage.sup('shutdown'));
      expect(isAlive(first)).toBe(false);
      await started(stage, loose({ web: steady() }));
      const second = stoppedGuardian(stage);
      killOnlySupervisor(stage);
      expectDone(await stage.sup('shutdown'));
      expect(isAlive(second)).toBe(false);
      expect(stage.members()).toEqual([]);
    },
  );

  scenario('a killed guardian leaves the supervisor running, and status says so', async (stage) => {
    await started(stage, loose({ web: steady() }));
    const before = await agree(stage, { web: 'running' });
    const pid = await supervisorPid(stage);
    process.kill(guardiansOf(stage)[0]?.pid ?? 0, 'SIGKILL');
    const warns = async (): Promise<boolean> => {
      const { document } = await stage.status();
      return document.supervisor.pid === pid && /guardian/.test(document.supervisor.warnings.join());
    };
    await holds('the warning', warns);
    expectDone(await stage.sup('upgrade'));
    expect(await warns()).toBe(true);
    expect((await stage.sup('doctor', '--quiet')).stdout).toMatch(/supervisor: .*guardian .* has ended/);
    expectDone(await stage.sup('restart'));
    expect((await agree(stage, { web: 'running' })).web.pid).not.toBe(before.web.pid);
  });

  scenario(
    'a stopped guardian continues when a command starts, and restarts its supervisor',
    async (stage) => {
      await started(stage, loose({ web: steady() }));
      const before = await agree(stage, { web: 'running' });
      const first = stoppedGuardian(stage);
      killOnlySupervisor(stage);
      expectDone(await stage.sup('start', '--daemonize'));
      expect(guardiansOf(stage).map(({ pid }) => pid)).toEqual([first]);
      expect((await stage.status()).document.supervisor).toMatchObject({ restarts: 1 });
      expect((await agree(stage, { web: 'running' })).web.pid).toBe(before.web.pid);
    },
  );

  scenario('a guardian and a supervisor that were both killed are replaced', async (stage) => {
    await started(stage, loose({ web: steady() }));
    const before = await agree(stage, { web: 'running' });
    await killSupervisor(stage);
    expectDone(await stage.sup('start', '--daemonize'));
    expect(guardiansOf(stage)).toHaveLength(1);
    expect((await stage.status()).document.supervisor.restarts).toBe(0);
    expect((await agree(stage, { web: 'running' })).web.pid).toBe(before.web.pid);
  });
});
