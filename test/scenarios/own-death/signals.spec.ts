// Needs the native addon.
// Own death: the orderly ways, and what a state file may look like in the bootFacts.
import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { beginOf, elsewhere } from '../support/elsewhere.ts';
import { holds } from '../support/eventually.ts';
import { linesCome, linesOf } from '../support/marks.ts';
import { killSupervisor, supervisorPid } from '../support/own-death.ts';
import { isAlive } from '../support/process-table.ts';
import { loose, project, script, shell, steady } from '../support/recipes.ts';
import { putRecord, recordText } from '../support/record.ts';
import { scenario } from '../support/scenario.ts';
import { guardiansOf, supervisors } from '../support/supervisors.ts';
import { agree, expectDone, serviceIn, started } from '../support/witnesses.ts';

/** Is told to end while it opens its control socket, which is before its first step. */
const HASTY = `const { Server } = require('node:net');
const { listen } = Server.prototype;
Server.prototype.listen = function (...where) {
  if (String(where[0]).endsWith('/c.' + process.pid)) process.kill(process.pid, 'SIGTERM');
  return listen.apply(this, where);
};`;

/** Is told to end before it has its data directory. */
const HASTIER = `setImmediate(() => process.kill(process.pid, 'SIGTERM'));`;

/** The TCP sockets that this process listens on. */
const socketsOf = (pid: number): readonly string[] => {
  const links = readdirSync(`/proc/${pid}/fd`).map((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`);
    } catch {
      return '';
    }
  });
  const listening = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state]) => state === '0A')
    .map((fields) => `socket:[${fields[9]}]`);
  return links.filter((link) => listening.includes(link));
};

describe('a supervisor that gets a signal', () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    scenario(
      `${signal} stops everything in reverse order; the next supervisor starts it again`,
      async (stage) => {
        await started(
          stage,
          project('shop', {
            db: script('stamped.sh', ['log', 'db']),
            web: script('stamped.sh', ['log', 'web'], { depends_on: ['db'] }),
          }),
        );
        // A service is shown as running before a busy machine lets it set its trap.
        expect((await linesCome(stage, 'log', 2)).toSorted()).toEqual(['up db', 'up web']);
        const pid = await supervisorPid(stage);
        process.kill(pid, signal);
        await holds('the supervisor gone', () => !isAlive(pid));
        expect(linesOf(stage, 'log').slice(2)).toEqual(['down web', 'down db']);
        expect((await stage.status()).status).toBe(3);
        expectDone(await stage.sup('start', '--daemonize', '-p', 'shop'));
        await agree(stage, { 'shop/db': 'running', 'shop/web': 'running' });
      },
    );

  for (const [when, first] of [
    ['before its first step', HASTY],
    ['as soon as it begins', HASTIER],
  ] as const)
    scenario(`a signal ${when} makes the supervisor adopt running services and stop them`, async (stage) => {
      await started(stage, loose({ web: steady() }));
      await killSupervisor(stage);
      expect(stage.members()).toHaveLength(1);
      const next = beginOf(stage, elsewhere(stage, 'hasty', first), 'supervise');
      expect((await next.ended).status).toBe(0);
      expect(stage.members()).toEqual([]);
    });

  for (const [heard, first] of [
    ['is handled', ''],
    ['ends the new program', `process.removeAllListeners('SIGTERM');`],
  ] as const)
    scenario(`a signal while the program is replaced stops everything, if it ${heard}`, async (stage) => {
      await started(stage, loose({ web: steady() }));
      const told = `if (process.argv.some((word) => word.startsWith('--handover='))) { ${first} process.kill(process.pid, 'SIGTERM'); }`;
      await beginOf(stage, elsewhere(stage, 'told', told), 'upgrade').ended;
      await holds('all supervisors gone', () => supervisors(stage).length === 0);
      expect(stage.members()).toEqual([]);
    });

  scenario('SIGUSR1 and SIGUSR2 do not end the supervisor and open no debugger', async (stage) => {
    await started(stage, loose({ web: steady() }));
    const pid = await supervisorPid(stage);
    const sockets = socketsOf(pid);
    for (const signal of ['SIGUSR1', 'SIGUSR2'] as const) process.kill(pid, signal);
    expectDone(await stage.sup('restart'));
    expect(await supervisorPid(stage)).toBe(pid);
    expect(socketsOf(pid)).toEqual(sockets);
  });

  scenario('SIGUSR1 changes nothing in the supervisor and its processes', async (stage) => {
    await started(stage, loose({ web: shell('echo up; exec sleep 1000') }));
    const pid = await supervisorPid(stage);
    const [guardian = 0] = guardiansOf(stage).map((one) => one.pid);
    const following = stage.begin(['logs', '-f']);
    await holds('a command that is at work', () => following.stdout().includes('up'));
    const { pid: follower = 0 } = following.child;
    for (const signal of ['SIGUSR1', 'SIGUSR2'] as const) process.kill(guardian, signal);
    process.kill(follower, 'SIGUSR1');
    expectDone(await stage.sup('restart'));
    expect([guardian, pid, follower].map(isAlive)).toEqual([true, true, true]);
    expect(socketsOf(follower)).toEqual([]);
    following.child.kill('SIGTERM');
    expect((await following.ended).stderr).toBe('');
  });

  scenario(
    'after an end by a signal the record says which services were stopped by hand and which return',
    async (stage) => {
      await started(
        stage,
        loose({ web: steady(), mail: steady(), job: steady({ cron: { expression: '0 0 1 1 *' } }) }),
      );
      expectDone(await stage.sup('stop', 'mail'));
      const pid = await supervisorPid(stage);
      process.kill(pid, 'SIGTERM');
      await holds('the supervisor gone', () => !isAlive(pid));
      const { document } = await stage.status();
      const told = ['web', 'mail', 'job'].map((name) => {
        const { wanted, state, reason } = serviceIn(document, name);
        return [wanted, state, reason];
      });
      const back = ['up', 'stopped', 'stopped with the supervisor; comes back with the next one'];
      expect(told).toEqual([back, ['down', 'stopped', 'stopped on request'], back]);
      expect((await stage.inspect('web')).services[0]?.wanted).toBe('up');
      expectDone(await stage.sup('start', '--daemonize', '-s', 'web'));
      await agree(stage, { web: 'running', mail: 'stopped', job: 'scheduled' });
    },
  );

  scenario('a supervisor in the foreground exits with 0 after a signal', async (stage) => {
    const foreground = stage.begin(['supervise']);
    await holds('a supervisor that answers', async () => (await stage.status()).status === 0);
    await started(stage, loose({ web: steady() }));
    foreground.child.kill('SIGTERM');
    expect((await foreground.ended).status).toBe(0);
    expect(stage.members()).toEqual([]);
  });
});

describe('a second supervisor', () => {
  scenario(
    'a second supervisor for the same data directory is refused and affects nothing',
    async (stage) => {
      await started(stage, loose({ web: steady() }));
      const before = await agree(stage, { web: 'running' });
      const second = await stage.sup('supervise');
      expect(second.status).not.toBe(0);
      expect(second.stderr).toContain(String(await supervisorPid(stage)));
      const after = await agree(stage, { web: 'running' });
      expect(after.web.pid).toBe(before.web.pid);
    },
  );
});

describe('a state file', () => {
  for (const [kind, text] of Object.entries({
    garbage: '\u0000\u0001 no json',
    truncated: '{"schema":"sup.state/1","boot_id":"',
    'of another version': '{"schema":"sup.state/99","services":[]}',
    'of another shape': '{"schema":"sup.state/1","boot_id":"x","services":[{"spec":7}]}',
  }))
    scenario(
      `a state file that is ${kind} is set aside with a warning, and running services are adopted`,
      async (stage) => {
        await started(stage, project('shop', { web: steady() }));
        const before = await agree(stage, { 'shop/web': 'running' });
        await killSupervisor(stage);
        const directory = join(stage.data, 'projects/shop');
        writeFileSync(join(directory, 'state.json'), text);
        expectDone(await stage.sup('start', '--daemonize'));
        const after = await agree(stage, { 'shop/web': 'running' });
        expect(after['shop/web']).toMatchObject({ pid: before['shop/web'].pid, run: before['shop/web'].run });
        expect(
          readdirSync(directory).some((file) => file !== 'state.json' && file.startsWith('state.json')),
        ).toBe(true);
        const { document } = await stage.status();
        expect(document.supervisor.warnings.join('\n')).toContain('state.json');
      },
    );

  scenario('a recorded pid with another start time is never signalled', async (stage) => {
    await started(stage, loose({ web: steady() }));
    const { web } = await agree(stage, { web: 'running' });
    await killSupervisor(stage);
    process.kill(web.pid ?? 0, 'SIGKILL');
    // The test runner takes the place of a stranger that was given the recorded pid.
    const text = recordText(stage.data, '__loose__').replaceAll(
      `"pid":${web.pid ?? 0}`,
      `"pid":${process.pid}`,
    );
    putRecord(stage.data, '__loose__', text);
    expectDone(await stage.sup('stop'));
    const { status, document } = await stage.status();
    expect(status).toBe(3);
    expect(serviceIn(document, 'web')).toMatchObject({ state: 'stopped', pid: null });
  });
});
