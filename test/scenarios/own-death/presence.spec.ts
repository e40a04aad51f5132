// Needs the native addon.
// One supervisor, and within reach, whatever becomes of its files while it lives.
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { holds } from '../support/eventually.ts';
import { fileComes } from '../support/marks.ts';
import { serviceLog } from '../support/logs.ts';
import { goOn, killSupervisor, killWith, onDisk, supervisorPid } from '../support/own-death.ts';
import { loose, project, shell, steady } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import { agree, come, errorOf, expectDone, pass, started } from '../support/witnesses.ts';

describe('a running supervisor', () => {
  for (const file of ['control.sock', 'supervisor.lock', 'sup.pid'])
    scenario(
      `a running supervisor is found although ${file} was removed, and creates it again`,
      async (stage) => {
        await started(stage, loose({ web: steady() }));
        const pid = await supervisorPid(stage);
        const before = await agree(stage, { web: 'running' });
        rmSync(join(stage.data, file));
        expectDone(await stage.sup('start', '--daemonize'));
        expect(await supervisorPid(stage)).toBe(pid);
        expect((await agree(stage, { web: 'running' })).web.pid).toBe(before.web.pid);
        await holds(`${file} again`, () => existsSync(join(stage.data, file)));
        expectDone(await stage.sup('stop'));
        await agree(stage, { web: 'stopped' });
      },
    );

  scenario(
    'a running supervisor with a long path is found although the file that leads to its socket was removed or overwritten',
    async (stage) => {
      const environment = { SUP_DATA_DIR: join(stage.root, 'd'.repeat(110)) };
      const sup = (...words: readonly string[]) => stage.begin(words, { environment }).ended;
      const pointer = join(environment.SUP_DATA_DIR, 'control.path');
      stage.declare(loose({ web: steady() }));
      expectDone(await sup('start', '--daemonize'));
      const place = readFileSync(pointer, 'utf8');
      for (const spoil of [() => rmSync(pointer), () => writeFileSync(pointer, '/nowhere\n')]) {
        spoil();
        await holds(
          'it leads there again',
          () => existsSync(pointer) && readFileSync(pointer, 'utf8') === place,
        );
        expect((await sup('status')).status).toBe(0);
      }
      rmSync(pointer);
      expectDone(await sup('stop'));
      const ended = await sup('shutdown');
      expect(ended.stdout).toContain('the supervisor has ended');
    },
  );

  scenario('a running supervisor stays the only one although its directory was removed', async (stage) => {
    await started(stage, loose({ web: steady() }));
    const pid = await supervisorPid(stage);
    const before = await agree(stage, { web: 'running' });
    // The supervisor may write a file at the same time.
    rmSync(stage.data, { recursive: true, maxRetries: 10 });
    expectDone(await stage.sup('start', '--daemonize'));
    expect(await supervisorPid(stage)).toBe(pid);
    expect((await agree(stage, { web: 'running' })).web.pid).toBe(before.web.pid);
    await onDisk(stage, '__loose__', '"web"');
    await holds('the registry again', () => existsSync(join(stage.data, 'registry.json')));
    await killSupervisor(stage);
    expectDone(await stage.sup('start', '--daemonize'));
    expect((await agree(stage, { web: 'running' })).web.pid).toBe(before.web.pid);
  });

  scenario('an idle supervisor writes its records again if only they were removed', async (stage) => {
    await started(stage, loose({ web: steady(), idle: steady() }));
    expectDone(await stage.sup('stop', 'idle'));
    const before = await agree(stage, { web: 'running', idle: 'stopped' });
    const records = ['registry.json', 'projects'].map((name) => join(stage.data, name));
    records.forEach((record) => rmSync(record, { recursive: true, maxRetries: 10 }));
    await holds('the registry again', () => existsSync(join(stage.data, 'registry.json')));
    await onDisk(stage, '__loose__', '"idle"');
    await killSupervisor(stage);
    expectDone(await stage.sup('start', 'web', '--daemonize'));
    expect((await agree(stage, { web: 'running', idle: 'stopped' })).web.pid).toBe(before.web.pid);
  });

  scenario(
    'a running supervisor recreates files that only the next one needs, and loses no line',
    async (stage) => {
      const half = "printf half; until [ -e go ]; do sleep 0.05; done; echo ' and half'; exec sleep 1000";
      await started(stage, loose({ web: shell(half), job: steady() }));
      const before = await agree(stage, { web: 'running', job: 'running' });
      const state = 'projects/__loose__/state.json';
      const files = ['output.buffer', 'keeper.pid', 'keeper.fifo', 'reserve', state].map((name) =>
        join(stage.data, name),
      );
      await holds('all files', () => files.every(existsSync));
      files.forEach((file) => rmSync(file, { force: true }));
      await holds('all files again', () => files.every(existsSync));
      await killWith(stage, [before.job]);
      stage.write('go', '');
      await goOn(stage);
      await come(stage, { web: 'running', job: 'running' });
      const after = await agree(stage, { web: 'running', job: 'running', 'bystander/it': 'running' });
      expect(after.web).toMatchObject({ pid: before.web.pid, run: 1 });
      expect(after.job.run).toBe(2);
      await holds('the line', () => serviceLog(stage, 'web').length > 0);
      expect(serviceLog(stage, 'web').map((line) => line.slice(28))).toEqual(['stdout half and half']);
    },
  );

  scenario('a running supervisor stays the only one although its directory was moved', async (stage) => {
    await started(stage, loose({ web: steady() }));
    const pid = await supervisorPid(stage);
    renameSync(stage.data, `${stage.root}/elsewhere`);
    const { status, stderr } = await stage.begin(['supervise']).ended;
    expect({ status, stderr }).toMatchObject({ status: 3 });
    expect(stderr).toContain(`${pid}`);
    await holds('the socket again', () => existsSync(join(stage.data, 'control.sock')));
    expectDone(await stage.sup('stop'));
    await agree(stage, { web: 'stopped' });
  });
});

describe('a supervisor that finds no record of a registered project', () => {
  scenario(
    'a supervisor without the record of a registered project warns, adopts living runs and starts the others',
    async (stage) => {
      await started(stage, project('shop', { web: steady(), job: steady(), idle: steady() }));
      const before = await agree(stage, { 'shop/web': 'running', 'shop/job': 'running' });
      await holds('the project in the registry', () =>
        readFileSync(join(stage.data, 'registry.json'), 'utf8').includes('"shop"'),
      );
      await killWith(stage, [before['shop/job']]);
      rmSync(join(stage.data, 'projects/shop/state.json'));
      expect((await stage.sup('status')).stdout).toContain('the record of shop is lost');
      await goOn(stage);
      const running = { 'shop/web': 'running', 'shop/job': 'running', 'shop/idle': 'running' } as const;
      await come(stage, running);
      const after = await agree(stage, { ...running, 'bystander/it': 'running' });
      expect(after['shop/web'].pid).toBe(before['shop/web'].pid);
      const { document } = await stage.status();
      expect(document.supervisor.warnings.join('\n')).toContain('the record of shop is lost');
    },
  );
});

describe('a command that loses its supervisor', () => {
  scenario('a command that loses its supervisor says that its outcome is unknown', async (stage) => {
    await started(
      stage,
      loose({ web: shell("trap 'sleep 5' TERM; echo up >>up; sleep 1000 & wait", { stop_timeout: '20s' }) }),
    );
    await fileComes(stage, 'up');
    const stop = stage.begin(['stop', '--json']);
    await pass(stage, { web: 'stopping' });
    await killSupervisor(stage);
    const error = errorOf(await stop.ended);
    expect(error.code).toBe('ERR0206');
    expect(error.message).toContain('what came of stop is not known');
  });
});
