// Own death: what the dead supervisor was watching, the next one watches on: probes, cron runs, hooks.
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { layoutOf } from '../../../src/streams/wire/layout.ts';
import { eventually, holds } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { supervisorLog } from '../support/logs.ts';
import { fileComes, linesCome, linesOf } from '../support/marks.ts';
import { killSupervisor } from '../support/own-death.ts';
import { loose, program, shell, steady } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import { agree, come, expectDone, pass, serviceIn, started } from '../support/witnesses.ts';

describe('after the death of its supervisor', () => {
  scenario('an adopted service is still probed, and restarted when it loses its health', async (stage) => {
    const port = await freePort();
    const health_check = {
      url: `http://127.0.0.1:${port}/`,
      interval: '100ms',
      retries: 2,
      total_timeout: '1m',
    };
    const web = program('server.mjs', [String(port)], { backoff: '100ms', deployment: { health_check } });
    await started(stage, loose({ web, top: steady({ depends_on: ['web'] }) }));
    await killSupervisor(stage);
    expectDone(await stage.sup('start', '--daemonize'));
    const before = await come(stage, { web: 'running', top: 'running' });
    expect(before.web).toMatchObject({ run: 1, health: 'healthy' });
    stage.write('sick', '');
    await pass(stage, { top: 'casualty' });
    rmSync(`${stage.work}/sick`);
    const after = await come(stage, { web: 'running', top: 'running' });
    expect(after.web.pid).not.toBe(before.web.pid);
  });

  scenario('a service with sink none may print more than a pipe holds without blocking', async (stage) => {
    const flood = 'until [ -e go ]; do sleep 0.05; done; yes | head -c 500000; touch told; exec sleep 1000';
    await started(stage, loose({ web: shell(flood, { logs: { sink: 'none' } }) }));
    await killSupervisor(stage);
    stage.write('go', '');
    await fileComes(stage, 'told');
    expectDone(await stage.sup('start', '--daemonize'));
    expect((await come(stage, { web: 'running' })).web.run).toBe(1);
  });

  scenario(
    'a cron run continues alone, does not run twice, and is never called a success if its exit was not seen',
    async (stage) => {
      const cron = { expression: '* * * * * *' };
      const job = shell(
        'echo run >>runs; until [ -e go ]; do sleep 0.05; done; [ -e slept ] || sleep 1; touch slept',
        { cron },
      );
      await started(stage, loose({ job, web: steady() }));
      await linesCome(stage, 'runs', 1);
      await pass(stage, { job: 'running' });
      const [running] = stage.members('job').filter(({ leader }) => leader);
      await killSupervisor(stage);
      expectDone(await stage.sup('start', '--daemonize', '--service', 'web'));
      await eventually({
        what: 'an overlap',
        look: async () =>
          (await stage.inspect('job')).services[0]?.cron_runs.find(({ result }) => result === 'overlap'),
      });
      expect(linesOf(stage, 'runs')).toHaveLength(1);
      expect(stage.members('job').some(({ pid }) => pid === running?.pid)).toBe(true);
      stage.write('go', '');
      await fileComes(stage, 'slept');
      await linesCome(stage, 'runs', 2);
      const runs = (await stage.inspect('job')).services[0]?.cron_runs ?? [];
      const first = runs.find(({ started_at: since }) => since !== null);
      expect(first?.result === 'success' && first.exit?.code !== 0).toBe(false);
      expect(first?.result).not.toBe('running');
    },
  );

  scenario('a hook under way is ended, and the log names it', async (stage) => {
    const hooks = { on_start: { success: { command: 'echo begun >>hooks; sleep 100; echo done >>hooks' } } };
    await started(stage, loose({ web: steady({ hooks }) }));
    await linesCome(stage, 'hooks', 1);
    await killSupervisor(stage);
    expectDone(await stage.sup('start', '--daemonize'));
    await agree(stage, { web: 'running' });
    expect(supervisorLog(stage).join('\n')).toContain('hook on_start.success of web was under way');
    expect(linesOf(stage, 'hooks')).toEqual(['begun']);
  });

  scenario('nothing is left of an upgrade under way', async (stage) => {
    await started(stage, loose({ web: steady() }));
    await killSupervisor(stage);
    const { handover } = layoutOf(stage.data);
    writeFileSync(handover, '{}');
    expectDone(await stage.sup('start', '--daemonize'));
    expect(existsSync(handover)).toBe(false);
  });

  scenario('the crash of an adopted service fires its hook once', async (stage) => {
    const hooks = { onerr: { command: 'echo "$SUP_HOOK" >>hooks' } };
    await started(stage, loose({ web: steady({ backoff: '100ms', hooks }) }));
    const { web } = await agree(stage, { web: 'running' });
    await killSupervisor(stage);
    expectDone(await stage.sup('start', '--daemonize'));
    process.kill(web.pid ?? 0, 'SIGKILL');
    expect(await linesCome(stage, 'hooks', 1)).toEqual(['onerr']);
    await holds('the second run', async () => serviceIn((await stage.status()).document, 'web').run === 2);
    await come(stage, { web: 'running' });
    expect(linesOf(stage, 'hooks')).toHaveLength(1);
  });
});
