// The hooks of an end: a supervisor that is told to end, or ends by itself, waits for those under way.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { holds } from '../support/eventually.ts';
import { supervisorLog } from '../support/logs.ts';
import { linesCome, linesOf } from '../support/marks.ts';
import { supervisorPid } from '../support/own-death.ts';
import { isAlive } from '../support/process-table.ts';
import { loose, shell, steady } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import { expectDone, started } from '../support/witnesses.ts';

/** A hook that ends when the file `go` is there. */
const slow = { command: 'echo begun >>hooks; until [ -e go ]; do sleep 0.05; done; echo done >>hooks' };
const stopped = steady({ hooks: { on_stop: { success: slow } } });

const AWAITED = /as soon as these hooks are over: web on_stop\.success/;

describe('hooks at the end of a supervisor', () => {
  scenario('a shutdown waits for hooks and says so', async (stage) => {
    await started(stage, loose({ web: stopped }));
    const shutdown = stage.begin(['shutdown']);
    await linesCome(stage, 'hooks', 1);
    await holds('a warning', async () =>
      (await stage.status()).document.supervisor.warnings.some((text) => AWAITED.test(text)),
    );
    // The command asks now and then, so it prints the warning later than `status`.
    await holds('a warning of the command', () => AWAITED.test(shutdown.stderr()));
    stage.write('go', '');
    expectDone(await shutdown.ended);
    expect(linesOf(stage, 'hooks')).toEqual(['begun', 'done']);
  });

  scenario('an end by a signal waits for hooks, also for those that began long before', async (stage) => {
    await started(stage, loose({ web: stopped, aside: steady({ hooks: { onstart: slow } }) }));
    await linesCome(stage, 'hooks', 1);
    const pid = await supervisorPid(stage);
    process.kill(pid, 'SIGTERM');
    await linesCome(stage, 'hooks', 2);
    expect(isAlive(pid)).toBe(true);
    stage.write('go', '');
    await holds('the supervisor gone', () => !isAlive(pid));
    expect(linesOf(stage, 'hooks')).toEqual(['begun', 'begun', 'done', 'done']);
  });

  scenario('another signal ends the hooks', async (stage) => {
    await started(stage, loose({ web: stopped }));
    const pid = await supervisorPid(stage);
    process.kill(pid, 'SIGTERM');
    await holds('the hook awaited', () => supervisorLog(stage).some((line) => AWAITED.test(line)));
    await linesCome(stage, 'hooks', 1);
    process.kill(pid, 'SIGTERM');
    await holds('the supervisor gone', () => !isAlive(pid));
    expect(linesOf(stage, 'hooks')).toEqual(['begun']);
    expect(supervisorLog(stage).join('\n')).toMatch(/warn ended, although .*: hooks web on_stop\.success/);
  });

  scenario('hooks are waited for until their timeout and no longer', async (stage) => {
    const hooks = { onstart: { command: 'sleep 2004', timeout: '1500ms' } };
    await started(stage, loose({ web: steady({ hooks }) }));
    expectDone(await stage.sup('shutdown'));
    expect(supervisorLog(stage).join('\n')).toContain('hook onstart exceeded its timeout');
  });

  scenario('hooks are waited for if an essential service has failed', async (stage) => {
    const onerr = { command: 'sleep 1; touch alert' };
    stage.declare(
      loose({
        main: shell('sleep 0.5; exit 7', { essential: true, restart_policy: 'never', hooks: { onerr } }),
      }),
    );
    const { status } = await stage.sup('supervise', '-c', 'sup.yaml');
    expect(status).toBe(7);
    expect(existsSync(join(stage.work, 'alert'))).toBe(true);
  });
});
