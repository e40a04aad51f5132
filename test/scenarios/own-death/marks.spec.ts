// Own death: each marked process counts when the next supervisor begins, and no run starts beside one.
import { readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { holds } from '../support/eventually.ts';
import { everybody, isAlive } from '../support/process-table.ts';
import { fileComes, linesCome, linesOf } from '../support/marks.ts';
import { goOn, killSupervisor, killWith, onDisk } from '../support/own-death.ts';
import { loose, project, shell, steady } from '../support/recipes.ts';
import { recordText } from '../support/record.ts';
import { scenario } from '../support/scenario.ts';
import type { Stage } from '../support/stage.ts';
import { agree, come, expectDone, serviceIn, started } from '../support/witnesses.ts';

/** Loses all that is recorded of a project. */
const loseState = ({ data }: Stage, of = '__loose__'): void =>
  rmSync(join(data, 'projects', of), { recursive: true });

const pidIn = (stage: Stage, file: string): number => Number(linesOf(stage, file)[0]);

/** Commands on behalf of services that are alive. */
const commandsOf = ({ data }: Stage): readonly string[] =>
  everybody()
    .filter(({ environment }) => environment.get('SUP_SUPERVISOR') === data)
    .filter(({ environment }) => environment.get('SUP_UNIT')?.startsWith('!') === true)
    .map(({ pid, command }) => `${pid} ${command}`);

describe('the remaining processes of a run whose leader died with the supervisor', () => {
  const CHILD = 'sleep 1000 & echo $! >child; echo "$SUP_UNIT" >>runs; wait';
  const AWAY = 'setsid sleep 1000 & echo $! >child; echo "$SUP_UNIT" >>runs; wait';

  scenario(
    'remaining processes are gone before the next run starts, although nothing is recorded',
    async (stage) => {
      await started(stage, loose({ web: shell(CHILD) }));
      await linesCome(stage, 'runs', 1);
      const { web } = await agree(stage, { web: 'running' });
      const child = pidIn(stage, 'child');
      await killWith(stage, [web]);
      loseState(stage);
      expect(isAlive(child)).toBe(true);
      await goOn(stage);
      expectDone(await stage.sup('start', '--daemonize'));
      const after = await come(stage, { web: 'running' });
      expect(isAlive(child)).toBe(false);
      expect(after.web.run).toBe(2);
      expect(await linesCome(stage, 'runs', 2)).toEqual(['__loose__/web#1', '__loose__/web#2']);
    },
  );

  scenario('a remaining process in its own session is not taken for the run', async (stage) => {
    await started(stage, loose({ web: shell(AWAY, { backoff: 0 }) }));
    await linesCome(stage, 'runs', 1);
    const { web } = await agree(stage, { web: 'running' });
    const child = pidIn(stage, 'child');
    await onDisk(stage, '__loose__', `"pid":${web.pid ?? 0}`);
    await killWith(stage, [web]);
    expect(isAlive(child)).toBe(true);
    await goOn(stage);
    await linesCome(stage, 'runs', 2);
    const after = await come(stage, { web: 'running' });
    expect(isAlive(child)).toBe(false);
    expect(after.web.run).toBe(2);
  });

  scenario(
    'remaining processes end when the service is stopped, before it is shown as stopped',
    async (stage) => {
      await started(stage, loose({ web: shell(CHILD) }));
      await fileComes(stage, 'child');
      const { web } = await agree(stage, { web: 'running' });
      await killWith(stage, [web]);
      loseState(stage);
      await goOn(stage);
      expectDone(await stage.sup('stop', '--service', 'web'));
      await agree(stage, { web: 'stopped' });
      expect(stage.members('web')).toEqual([]);
    },
  );
});

describe('commands that the last supervisor ran for services', () => {
  scenario('a pre_start left running is ended before the next one starts', async (stage) => {
    const pre_start = 'echo $$$$ >>pids; while [ ! -e go ]; do sleep 0.05; done';
    stage.declare(loose({ it: steady({ deployment: { pre_start } }) }));
    const start = stage.begin(['start', '--daemonize']);
    for (let death = 1; death <= 3; death += 1) {
      const pids = await linesCome(stage, 'pids', death);
      expect(pids.filter((pid) => isAlive(Number(pid)))).toHaveLength(1);
      await killSupervisor(stage);
      await start.ended;
      await goOn(stage);
    }
    const pids = await linesCome(stage, 'pids', 4);
    expect(pids.filter((pid) => isAlive(Number(pid)))).toHaveLength(1);
    stage.write('go', '');
    await come(stage, { it: 'running' });
  });

  scenario('probes and hooks left running are ended, and a shutdown leaves no process', async (stage) => {
    const health_check = { command: '[ ! -e hang ] || sleep 1000', interval: '100ms', timeout: '900s' };
    const hooks = { on_start: { success: { command: 'setsid sleep 1000 & [ ! -e hang ] || sleep 1000' } } };
    await started(stage, loose({ web: steady({ deployment: { health_check } }) }));
    stage.write('hang', '');
    // A probe that began before the file was there ends at once.
    await holds('a probe that hangs', () => commandsOf(stage).some((one) => /^\d+ sleep 1000$/.test(one)));
    const before = commandsOf(stage);
    await killSupervisor(stage);
    expect(commandsOf(stage)).not.toEqual([]);
    await goOn(stage);
    expect(commandsOf(stage).filter((one) => before.includes(one))).toEqual([]);
    stage.declare(project('shop', { web: steady({ hooks }) }), 'shop.yaml');
    expectDone(await stage.sup('start', '--daemonize', '-c', 'shop.yaml'));
    await holds('a hook that hangs', () => commandsOf(stage).some((one) => one.includes('hang')));
    await killSupervisor(stage);
    expectDone(await stage.sup('shutdown'));
    expect(commandsOf(stage)).toEqual([]);
  });

  scenario('a daemon that a hook started keeps running', async (stage) => {
    const daemonised = `setsid sh -c 'echo $$$$ >daemon; exec sleep 1000' &`;
    const command = `${daemonised} while [ ! -s daemon ]; do sleep 0.02; done; echo done >>done`;
    await started(stage, loose({ web: steady({ hooks: { on_start: { success: { command } } } }) }));
    await fileComes(stage, 'done');
    await holds('the hook over', () => readdirSync(join(stage.data, 'commands')).length === 0);
    const daemon = pidIn(stage, 'daemon');
    await killSupervisor(stage);
    await goOn(stage);
    expect(isAlive(daemon)).toBe(true);
    process.kill(daemon, 'SIGKILL');
  });
});

const attemptsOnDisk = ({ data }: Stage): number =>
  Number(/"attempts":(\d+)/.exec(recordText(data, '__loose__'))?.[1] ?? 0);

describe('counts', () => {
  scenario(
    'a crash loop in pre_start opens the breaker over any number of deaths of the supervisor',
    async (stage) => {
      const pre_start = 'echo try >>tries; sleep 0.4; exit 1';
      stage.declare(loose({ it: steady({ deployment: { pre_start }, max_restarts: 3, backoff: '20ms' }) }));
      const start = stage.begin(['start', '--daemonize']);
      for (let death = 1; death <= 3; death += 1) {
        await linesCome(stage, 'tries', death + 1);
        await holds('the attempt on disk', () => attemptsOnDisk(stage) >= death);
        await killSupervisor(stage);
        await start.ended;
        await goOn(stage);
      }
      const { it } = await come(stage, { it: 'breaker-open' });
      expect(it.restarts).toBe(3);
      expect(linesOf(stage, 'tries').length).toBeLessThanOrEqual(7);
    },
  );
});

describe('a registry', () => {
  scenario('a lost registry is completed from the recorded state', async (stage) => {
    await started(stage, project('shop', { web: steady() }));
    const before = await agree(stage, { 'shop/web': 'running' });
    await killSupervisor(stage);
    rmSync(join(stage.data, 'registry.json'));
    stage.declare(project('shop', { web: steady(), api: steady() }));
    expectDone(await stage.sup('restart', '--service', 'shop/api'));
    const after = await come(stage, { 'shop/web': 'running', 'shop/api': 'running' });
    expect(after['shop/web'].pid).toBe(before['shop/web'].pid);
    expect(readFileSync(join(stage.data, 'registry.json'), 'utf8')).toContain(join(stage.work, 'sup.yaml'));
  });

  scenario('a registry with a manifest that is broken at boot still knows its project', async (stage) => {
    await started(stage, project('shop', { web: steady() }));
    await killSupervisor(stage);
    const whole = readFileSync(join(stage.work, 'sup.yaml'), 'utf8');
    stage.write('sup.yaml', `${whole}\n}}`);
    await goOn(stage);
    expectDone(await stage.sup('stop', '-p', 'shop'));
    await agree(stage, { 'shop/web': 'stopped' });
  });

  scenario(
    'without registry and state living runs are shown, and adopted with their manifest',
    async (stage) => {
      await started(stage, project('shop', { web: steady() }));
      const before = await agree(stage, { 'shop/web': 'running' });
      await killSupervisor(stage);
      rmSync(join(stage.data, 'registry.json'));
      loseState(stage, 'shop');
      await goOn(stage);
      const { document } = await stage.status();
      expect(document.supervisor.warnings.join('\n')).toContain('shop/web');
      expectDone(await stage.sup('start', '--daemonize', '-c', 'sup.yaml'));
      const after = await come(stage, { 'shop/web': 'running' });
      expect(after['shop/web']).toMatchObject({ pid: before['shop/web'].pid, run: 1 });
      expect((await stage.status()).document.supervisor.warnings).toEqual([]);
    },
  );
});

describe('a data directory', () => {
  scenario('a data directory is the same through a symbolic link', async (stage) => {
    await started(stage, loose({ web: steady() }));
    const before = await agree(stage, { web: 'running' });
    await killSupervisor(stage);
    loseState(stage);
    const link = join(stage.root, 'link');
    symlinkSync(stage.data, link);
    const { ended } = stage.begin(['start', '--daemonize'], { environment: { SUP_DATA_DIR: link } });
    expectDone(await ended);
    const { document } = await stage.status();
    expect(serviceIn(document, 'web')).toMatchObject({ pid: before.web.pid, run: 1 });
    expect(stage.members('web')).toHaveLength(1);
  });
});
