// Keys about supervising take effect without a restart: the process stays, and the newer declaration holds for it.
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { holds } from '../support/eventually.ts';
import { supervisorLog } from '../support/logs.ts';
import { fileComes, linesOf } from '../support/marks.ts';
import { killSupervisor } from '../support/own-death.ts';
import { project, shell, steady } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import { agree, come, expectDone, serviceIn, started } from '../support/witnesses.ts';

/** Takes longer to end than the first `stop_timeout` allows. */
const SLOW =
  "trap 'sleep 1.5; echo ended >>marks; exit 0' TERM; trap 'echo reloaded >>marks' HUP; " +
  'touch ready; while :; do echo "a line of the log that takes some bytes"; sleep 0.02; done';

describe('an apply of supervising keys', () => {
  scenario('an apply of supervising keys keeps the process and takes effect for it', async (stage) => {
    await started(stage, project('shop', { web: shell(SLOW), same: steady() }));
    await fileComes(stage, 'ready');
    const before = await agree(stage, { 'shop/web': 'running', 'shop/same': 'running' });
    const web = shell(SLOW, {
      stop_timeout: '30s',
      hooks: { on_stop: { success: { command: 'echo hooked >>hooks' } } },
      reload: { signal: 'HUP' },
      logs: { max_bytes: 2_000, max_files: 2 },
    });
    stage.declare(project('shop', { web, same: steady() }));
    const plan = await stage.sup('plan');
    expect(plan.status, plan.stderr).toBe(2);
    expect(plan.stdout.trimEnd().split('\n')).toEqual([
      '~ shop/web  change: takes up stop_timeout, hooks, logs.max_bytes and 2 more without a restart',
      '    stop_timeout: 1s → 30s',
      '    hooks.on_stop.success.command: echo hooked >>hooks (new)',
      '    logs.max_bytes: 2000 (new)',
      '    logs.max_files: 2 (new)',
      '    reload.signal: SIGHUP (new)',
    ]);
    const applied = await stage.sup('apply', '--json');
    expect(applied.status, applied.stderr).toBe(0);
    expect(JSON.parse(applied.stdout)).toMatchObject({
      services: [
        {
          service: 'shop/web',
          what: 'updated',
          keys: ['stop_timeout', 'hooks', 'logs.max_bytes', 'logs.max_files', 'reload'],
        },
      ],
    });
    const after = await agree(stage, { 'shop/web': 'running', 'shop/same': 'running' });
    for (const name of ['shop/web', 'shop/same'] as const)
      expect(after[name]).toMatchObject({ pid: before[name].pid, run: 1 });
    expect(await stage.sup('plan')).toMatchObject({ status: 0, stdout: 'no changes\n' });
    expectDone(await stage.sup('reload', 'web'));
    await holds('the reload', () => linesOf(stage, 'marks').includes('reloaded'));
    await holds('a rotated log', () => existsSync(join(stage.data, 'logs/shop/web.log.2')));
    expect(readdirSync(join(stage.data, 'logs/shop'))).not.toContain('web.log.3');
    expectDone(await stage.sup('stop', 'web'));
    expect(linesOf(stage, 'marks')).toEqual(['reloaded', 'ended']);
    await fileComes(stage, 'hooks');
    await holds('a line in the log', () =>
      supervisorLog(stage).some((line) => line.includes('took up without a restart: stop_timeout')),
    );
  });

  scenario('a newer max_restarts counts for the running process', async (stage) => {
    const web = 'until [ -e crash ]; do sleep 0.02; done; exit 3';
    await started(stage, project('shop', { web: shell(web, { restart_policy: 'always' }) }));
    stage.declare(project('shop', { web: shell(web, { restart_policy: 'always', max_restarts: 0 }) }));
    const applied = await stage.sup('apply');
    expect(applied.stdout).toBe('1 service updated without a restart: shop/web (max_restarts)\n');
    writeFileSync(join(stage.work, 'crash'), '');
    await come(stage, { 'shop/web': 'breaker-open' });
  });

  scenario('a newer health check probes the running process and counts its failures', async (stage) => {
    const check = (file: string) => ({
      restart_policy: 'never',
      deployment: {
        health_check: {
          ...{ command: `test -e ${file}`, interval: '100ms', retries: 1, total_timeout: '10s' },
        },
      },
    });
    writeFileSync(join(stage.work, 'good'), '');
    await started(stage, project('shop', { web: steady(check('good')) }));
    stage.declare(project('shop', { web: steady(check('bad')) }));
    expect(await stage.sup('apply')).toMatchObject({ status: 0 });
    await come(stage, { 'shop/web': 'failed' });
  });

  scenario(
    'applied supervising keys survive the supervisor and are undone by a rollback, all with one process',
    async (stage) => {
      await started(stage, project('shop', { web: steady() }));
      const { pid } = serviceIn((await stage.status()).document, 'shop/web');
      stage.declare(project('shop', { web: steady({ stop_timeout: '5s' }) }));
      expect(await stage.sup('apply')).toMatchObject({ status: 0 });
      await killSupervisor(stage);
      expect(await stage.sup('start', '--daemonize')).toMatchObject({ status: 0 });
      expect(await stage.sup('plan')).toMatchObject({ status: 0, stdout: 'no changes\n' });
      expect(await stage.sup('rollback', 'web')).toMatchObject({
        status: 0,
        stdout: '1 service updated without a restart: shop/web (stop_timeout)\n',
      });
      expect(serviceIn((await stage.status()).document, 'shop/web')).toMatchObject({ pid, run: 1 });
      const again = await stage.sup('plan');
      expect(again.stdout).toContain('takes up stop_timeout without a restart');
    },
  );
});
