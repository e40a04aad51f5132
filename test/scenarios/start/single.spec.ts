// Start: one service, from nothing to a resident supervisor and back.
import { describe, expect } from 'vitest';
import { loose, shell, steady, UNREADY } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import { agree, expectDone } from '../support/witnesses.ts';

describe('starting one service', () => {
  scenario('a start brings up a supervisor and the service, and returns', async (stage) => {
    stage.declare(loose({ web: steady() }));
    const outcome = await stage.sup('start', '--daemonize');
    expectDone(outcome);
    expect(outcome.stdout).toMatch(/1 service/);
    const { web } = await agree(stage, { web: 'running' });
    expect(web).toMatchObject({ run: 1, restarts: 0, wanted: 'up', reason: null, error: null });
  });

  scenario('a second start of a running service starts nothing', async (stage) => {
    stage.declare(loose({ web: steady() }));
    await stage.sup('start', '--daemonize');
    const before = await stage.status();
    expectDone(await stage.sup('start', '--daemonize'));
    const after = await stage.status();
    expect(after.document.supervisor.pid).toBe(before.document.supervisor.pid);
    const { web } = await agree(stage, { web: 'running' });
    expect(before.document.projects[0]?.services[0]).toMatchObject({ pid: web.pid, run: web.run });
  });

  scenario('a service that exits with 0 at once is done', async (stage) => {
    stage.declare(loose({ once: shell('true', UNREADY) }));
    expectDone(await stage.sup('start', '--daemonize'));
    const { once } = await agree(stage, { once: 'done' });
    expect(once.last_exit).toMatchObject({ code: 0, signal: null });
  });
});
