// Own death: kill -9 of the supervisor loses nothing. The next one adopts what runs, and starts no second copy.
import { describe, expect } from 'vitest';
import { eventually, holds } from '../support/eventually.ts';
import { fileComes, linesOf } from '../support/marks.ts';
import { killSupervisor } from '../support/own-death.ts';
import { isAlive, writtenBy } from '../support/process-table.ts';
import { loose, program, project, script, shell, steady } from '../support/recipes.ts';
import { putRecord, recordText } from '../support/record.ts';
import { scenario } from '../support/scenario.ts';
import { serviceLog } from '../support/logs.ts';
import { agree, come, expectDone, serviceIn, started } from '../support/witnesses.ts';

/** Nearly what a pipe takes, in bytes. */
const PIPE = 60_000;

describe('a killed supervisor', () => {
  scenario(
    'a killed supervisor leaves its services running; the next one adopts the same processes and runs',
    async (stage) => {
      await started(stage, project('shop', { web: steady(), family: script('family.sh', ['pids']) }));
      await fileComes(stage, 'pids.ready');
      const before = await agree(stage, { 'shop/web': 'running', 'shop/family': 'running' });
      const members = stage.members().map(({ pid }) => pid);
      await killSupervisor(stage);
      expect(members.every(isAlive)).toBe(true);
      const offline = await stage.status();
      expect(offline.status).toBe(3);
      expect(serviceIn(offline.document, 'shop/web').pid).toBe(before['shop/web'].pid);
      expectDone(await stage.sup('start', '--daemonize'));
      const after = await agree(stage, { 'shop/web': 'running', 'shop/family': 'running' });
      for (const name of ['shop/web', 'shop/family'] as const)
        expect(after[name]).toMatchObject({ pid: before[name].pid, run: before[name].run, restarts: 0 });
      expect(stage.members().map(({ pid }) => pid)).toEqual(expect.arrayContaining(members));
    },
  );

  scenario(
    'a killed supervisor loses and doubles no line of a service that keeps printing',
    async (stage) => {
      await started(stage, loose({ ticker: program('ticker.mjs') }));
      for (let death = 0; death < 3; death += 1) {
        const count = serviceLog(stage, 'ticker').length;
        await eventually({
          what: 'more lines',
          look: () => (serviceLog(stage, 'ticker').length > count + 20 ? true : undefined),
        });
        await killSupervisor(stage);
        expectDone(await stage.sup('start', '--daemonize'));
      }
      expectDone(await stage.sup('stop'));
      const numbers = serviceLog(stage, 'ticker').map((line) =>
        Number(/ stdout line (\d+)$/.exec(line)?.[1]),
      );
      expect(numbers.length).toBeGreaterThan(60);
      expect(numbers).toEqual(numbers.map((_, index) => index + 1));
      await agree(stage, { ticker: 'stopped' });
    },
  );

  scenario(
    'the next supervisor restarts an adopted process that dies later, although it is not its child',
    async (stage) => {
      await started(
        stage,
        loose({ web: steady({ backoff: '100ms' }), top: steady({ depends_on: ['web'] }) }),
      );
      await killSupervisor(stage);
      expectDone(await stage.sup('start', '--daemonize'));
      const { web } = await agree(stage, { web: 'running', top: 'running' });
      process.kill(web.pid ?? 0, 'SIGKILL');
      await eventually({
        what: 'another run',
        look: async () => (serviceIn((await stage.status()).document, 'web').run === 2 ? true : undefined),
      });
      const after = await come(stage, { web: 'running', top: 'running' });
      expect(after.web).toMatchObject({ run: 2, restarts: 1 });
    },
  );

  scenario('the next supervisor restarts what died meanwhile', async (stage) => {
    await started(stage, loose({ web: steady({ backoff: '100ms' }), other: steady() }));
    const before = await agree(stage, { web: 'running', other: 'running' });
    await killSupervisor(stage);
    process.kill(before.web.pid ?? 0, 'SIGKILL');
    await stage.sup('start', '--daemonize');
    const after = await come(stage, { web: 'running', other: 'running' });
    expect(after.web.run).toBe(2);
    expect(after.other.pid).toBe(before.other.pid);
  });

  scenario('the next supervisor stops an adopted service with its whole tree', async (stage) => {
    await started(stage, loose({ family: script('family.sh', ['pids']) }));
    await fileComes(stage, 'pids.ready');
    await killSupervisor(stage);
    expectDone(await stage.sup('start', '--daemonize'));
    expectDone(await stage.sup('stop'));
    expect(linesOf(stage, 'pids').filter((pid) => isAlive(Number(pid)))).toEqual([]);
    await agree(stage, { family: 'stopped' });
  });

  scenario('twenty kills of the supervisor leave the same processes running', async (stage) => {
    await started(stage, loose({ a: steady(), b: shell('exec sleep 1000', { depends_on: ['a'] }) }));
    const before = await agree(stage, { a: 'running', b: 'running' });
    for (let death = 0; death < 20; death += 1) {
      await killSupervisor(stage);
      expectDone(await stage.sup('start', '--daemonize'));
    }
    const after = await agree(stage, { a: 'running', b: 'running' });
    expect([after.a.pid, after.b.pid]).toEqual([before.a.pid, before.b.pid]);
  });

  scenario(
    'a service that prints more than a pipe holds waits for the next supervisor, and no line is lost',
    async (stage) => {
      const flood =
        'while [ ! -e go ]; do sleep 0.02; done; i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); echo "line $i"; done; exec sleep 1000';
      await started(stage, loose({ flood: shell(flood) }));
      await killSupervisor(stage);
      stage.write('go', '');
      await holds('the pipe full', () => stage.members('flood').some(({ pid }) => writtenBy(pid) > PIPE));
      expectDone(await stage.sup('start', '--daemonize'));
      await eventually({
        what: 'its last line',
        look: () => (serviceLog(stage, 'flood').at(-1)?.endsWith('line 20000') === true ? true : undefined),
      });
      const numbers = serviceLog(stage, 'flood').map((line) => Number(/ stdout line (\d+)$/.exec(line)?.[1]));
      expect(numbers).toEqual(numbers.map((_, index) => index + 1));
      await agree(stage, { flood: 'running' });
    },
  );

  scenario('a recorded pid with another start time is not adopted', async (stage) => {
    await started(stage, loose({ web: steady({ backoff: '50ms' }) }));
    const { web } = await agree(stage, { web: 'running' });
    await killSupervisor(stage);
    process.kill(web.pid ?? 0, 'SIGKILL');
    // The test runner takes the place of a stranger that was given the recorded pid.
    const text = recordText(stage.data, '__loose__').replaceAll(
      `"pid":${web.pid ?? 0}`,
      `"pid":${process.pid}`,
    );
    putRecord(stage.data, '__loose__', text);
    await stage.sup('start', '--daemonize');
    const after = await come(stage, { web: 'running' });
    expect(after.web.pid).not.toBe(process.pid);
    expect(after.web.run).toBe(2);
  });

  scenario('a supervisor of a later boot starts the services that should run', async (stage) => {
    await started(stage, loose({ web: steady(), off: steady() }));
    expectDone(await stage.sup('stop', '--service', 'off'));
    const { web } = await agree(stage, { web: 'running', off: 'stopped' });
    await killSupervisor(stage);
    process.kill(web.pid ?? 0, 'SIGKILL');
    const text = recordText(stage.data, '__loose__').replace(/"boot_id":"[^"]*"/, '"boot_id":"another-boot"');
    putRecord(stage.data, '__loose__', text);
    stage.declare({ projects: { bystander: { services: { it: steady() } } } }, 'bystander.yaml');
    expectDone(await stage.sup('start', '--daemonize', '-c', 'bystander.yaml'));
    const after = await come(stage, { web: 'running', off: 'stopped' });
    expect(after.web).toMatchObject({ restarts: 0 });
  });
});
