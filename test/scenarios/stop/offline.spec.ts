// Needs the native addon.
// Stop without a supervisor: it is carried out as by one, and leaves alone what it was not asked about.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { holds } from '../support/eventually.ts';
import { serviceLog } from '../support/logs.ts';
import { fileComes, linesCome, linesOf } from '../support/marks.ts';
import { goOn, killSupervisor, onDisk, supervisorPid } from '../support/own-death.ts';
import { isAlive } from '../support/process-table.ts';
import { loose, program, project, script, shell, steady } from '../support/recipes.ts';
import { putRecord, recordText } from '../support/record.ts';
import { scenario } from '../support/scenario.ts';
import {
  agree,
  come,
  expectDone,
  expectFailed,
  serviceIn,
  servicesOf,
  started,
} from '../support/witnesses.ts';

const HEIR = `trap 'echo asked >>heir; exit 0' TERM
echo >>ready
while :; do sleep 0.05; done
`;
const LEADER = `trap 'sh heir.sh & while [ ! -e ready ]; do sleep 0.02; done; exit 0' TERM
echo >>leading
while :; do sleep 0.05; done
`;

describe('a stop without a supervisor', () => {
  scenario(
    'a stop without a supervisor also signals processes that started when the leader ended',
    async (stage) => {
      stage.write('heir.sh', HEIR);
      stage.write('leader.sh', LEADER);
      await started(stage, loose({ web: { exec: ['sh', 'leader.sh'], stop_timeout: '20s' } }));
      await fileComes(stage, 'leading');
      await killSupervisor(stage);
      expectDone(await stage.sup('stop'));
      expect(linesOf(stage, 'heir')).toEqual(['asked']);
      expect(stage.members()).toEqual([]);
    },
  );

  scenario('a stop without a supervisor waits for any number of others', async (stage) => {
    const names = Array.from({ length: 6 }, (_, at) => `s${at}`);
    const slow = shell("trap 'sleep 0.4; exit 0' TERM; while :; do sleep 0.05; done", {
      stop_timeout: '20s',
    });
    await started(stage, loose(Object.fromEntries(names.map((name) => [name, slow]))));
    await killSupervisor(stage);
    const stops = names.map((name) => stage.begin(['stop', '--service', name]).ended);
    for (const outcome of await Promise.all(stops)) expectDone(outcome);
    expect(stage.members()).toEqual([]);
  });

  scenario('a stop without a supervisor runs hooks and keeps the last lines', async (stage) => {
    const command = 'echo "$SUP_HOOK" >>hooks';
    const web = shell("trap 'echo goodbye; exit 0' TERM; echo up >>up; while :; do sleep 0.05; done", {
      hooks: { on_stop: { success: { command } } },
      stop_timeout: '30s',
    });
    await started(stage, loose({ web, other: steady({ hooks: { on_stop: { success: { command } } } }) }));
    await fileComes(stage, 'up');
    await killSupervisor(stage);
    expectDone(await stage.sup('stop', '--service', 'web'));
    expect(linesOf(stage, 'hooks')).toEqual(['on_stop.success']);
    expect(serviceLog(stage, 'web').join('\n')).toContain('goodbye');
  });

  scenario('an unfinished line of a running service is completed by the next supervisor', async (stage) => {
    const talk =
      '[ -e asked ] || { printf "prompt> "; touch asked; exec sleep 1000; }; echo hello; exec sleep 1000';
    await started(stage, loose({ web: shell(talk, { backoff: '100ms' }), other: steady() }));
    await fileComes(stage, 'asked');
    const { web } = await agree(stage, { web: 'running', other: 'running' });
    await killSupervisor(stage);
    expectDone(await stage.sup('stop', '--service', 'other'));
    await goOn(stage);
    process.kill(web.pid ?? 0, 'SIGKILL');
    await holds('both lines', () => serviceLog(stage, 'web').length >= 2);
    const texts = serviceLog(stage, 'web').map((line) => line.slice(28));
    expect(texts).toEqual(['stdout prompt> ', 'stdout hello']);
  });

  scenario('a stop without a supervisor leaves other services running and starts none', async (stage) => {
    await started(
      stage,
      loose({ db: steady(), web: steady({ depends_on: ['db'] }), flaky: script('until-told.sh', ['end']) }),
    );
    const { db } = await agree(stage, { db: 'running', web: 'running', flaky: 'running' });
    await killSupervisor(stage);
    stage.write('end', '1');
    await holds('flaky gone', () => stage.members('flaky').length === 0);
    expectDone(await stage.sup('stop', '--service', 'web'));
    expect(stage.members('web')).toEqual([]);
    expect(stage.members('flaky')).toEqual([]);
    expect(stage.members('db').map(({ pid }) => pid)).toEqual([db.pid]);
    await goOn(stage);
    const after = await come(stage, { db: 'running', web: 'stopped', flaky: 'running' });
    expect(after.db.pid).toBe(db.pid);
  });

  scenario('the next supervisor adopts runs that were neither recorded nor stopped', async (stage) => {
    await started(stage, loose({ db: steady(), web: steady() }));
    const { db } = await agree(stage, { db: 'running', web: 'running' });
    await killSupervisor(stage);
    rmSync(join(stage.data, 'projects', '__loose__'), { recursive: true });
    expectDone(await stage.sup('stop', '--service', 'web'));
    expect(stage.members('web')).toEqual([]);
    await goOn(stage);
    const after = await come(stage, { db: 'running', web: 'stopped' });
    expect(after.db.pid).toBe(db.pid);
  });

  scenario('the next supervisor does not undo a stop after an orderly end', async (stage) => {
    await started(stage, loose({ web: steady(), db: steady() }));
    const pid = await supervisorPid(stage);
    process.kill(pid, 'SIGTERM');
    await holds('the supervisor gone', () => !isAlive(pid));
    expectDone(await stage.sup('stop', '--service', 'web'));
    await goOn(stage);
    await come(stage, { web: 'stopped', db: 'running' });
  });

  scenario('a stop without a supervisor finds a run that is not recorded yet', async (stage) => {
    await started(stage, loose({ web: script('until-told.sh', ['end'], { backoff: 0 }) }));
    await onDisk(stage, '__loose__', '"tag":"up"');
    const late = recordText(stage.data, '__loose__');
    stage.write('end', '1');
    await holds('the second run', async () => {
      const web = serviceIn((await stage.status()).document, 'web');
      return web.run === 2 && web.state === 'running';
    });
    await killSupervisor(stage);
    putRecord(stage.data, '__loose__', late);
    expect(stage.members('web')).not.toEqual([]);
    expectDone(await stage.sup('stop'));
    expect(stage.members('web')).toEqual([]);
  });

  scenario('a start waits for a stop without a supervisor', async (stage) => {
    await started(stage, loose({ slow: program('slow-stop.mjs', ['log', '1500'], { stop_timeout: '30s' }) }));
    await linesCome(stage, 'log', 1);
    await killSupervisor(stage);
    const stop = stage.begin(['stop']);
    await holds('the stop at work', async () => {
      const { document } = await stage.status();
      return serviceIn(document, 'slow').wanted === 'down';
    });
    expectDone(await stage.sup('start', '--daemonize'));
    expect((await stop.ended).status).toBe(0);
    await agree(stage, { slow: 'running' });
    expect(await linesCome(stage, 'log', 3)).toEqual(['up', 'down', 'up']);
  });
});

describe('sup forget without a supervisor', () => {
  scenario(
    'forget without a supervisor stops the services of a manifest and drops it, also if the file is gone',
    async (stage) => {
      expectDone(await stage.sup('start', '--name', 'nap', '-d', '--', 'sleep', '1000'));
      for (const name of ['old', 'new', 'gone']) {
        stage.declare(project(name, { web: steady() }), `${name}.yaml`);
        expectDone(await stage.sup('start', '--daemonize', '-c', `${name}.yaml`));
      }
      const before = await agree(stage, { 'new/web': 'running', 'old/web': 'running', nap: 'running' });
      await killSupervisor(stage);
      rmSync(join(stage.work, 'gone.yaml'));
      const { stdout } = await stage.sup('forget', 'old.yaml');
      expect(stdout).toContain('1 service stopped: old/web');
      expect(stdout).toContain('old.yaml is forgotten');
      for (const manifest of ['gone.yaml', 'nap']) expectDone(await stage.sup('forget', manifest));
      expectFailed(await stage.sup('forget', 'old.yaml'), 'ERR0202');
      const { document } = await stage.status();
      expect([...servicesOf(document).keys()]).toEqual(['new/web']);
      expect(stage.members().map(({ pid }) => pid)).toEqual([before['new/web'].pid]);
      await goOn(stage);
      const after = await agree(stage, { 'new/web': 'running', 'bystander/it': 'running' });
      expect(after['new/web'].pid).toBe(before['new/web'].pid);
      expect([...servicesOf((await stage.status()).document).keys()].toSorted()).toEqual([
        'bystander/it',
        'new/web',
      ]);
    },
  );
});
