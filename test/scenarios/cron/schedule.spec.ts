// Cron: boundaries by wall clock, overlap, timeout, failure, run now; the history outlives the supervisor.
import { describe, expect } from 'vitest';
import type { CronRunDocument, ServiceDocument } from '../../../src/streams/wire/documents/documents.ts';
import { eventually, holds } from '../support/eventually.ts';
import { linesCome, linesOf } from '../support/marks.ts';
import { killSupervisor, onDisk } from '../support/own-death.ts';
import { EARLY, loose, shell, steady } from '../support/recipes.ts';
import { serviceOf } from '../support/rollouts.ts';
import { scenario } from '../support/scenario.ts';
import type { Stage } from '../support/stage.ts';
import { agree, expectDone, expectFailed, serviceIn, started } from '../support/witnesses.ts';

const EVERY_SECOND = { cron: { expression: '* * * * * *' } };
const ONCE_A_YEAR = { cron: { expression: '0 0 0 1 1 *' } };

const runsOf = async (stage: Stage, name: string): Promise<readonly CronRunDocument[]> =>
  (await stage.inspect(name)).services[0]?.cron_runs ?? [];

/** Waits until a run with this result is in the history. */
const runWith = (stage: Stage, name: string, result: string): Promise<CronRunDocument> =>
  eventually({
    what: `a ${result} run of ${name}`,
    look: async () => (await runsOf(stage, name)).find((run) => run.result === result),
  });

/** Waits until no run is under way. At every other moment one may be. */
const scheduled = (stage: Stage, name: string): Promise<ServiceDocument> =>
  eventually({
    what: `${name} between two runs`,
    look: async () => {
      const service = await serviceOf(stage, name);
      return service.state === 'scheduled' ? service : undefined;
    },
  });

describe('a scheduled service', () => {
  scenario('a schedule of every second runs each second and shows scheduled in between', async (stage) => {
    await started(stage, loose({ job: shell('echo run >>runs', EVERY_SECOND) }));
    await linesCome(stage, 'runs', 3);
    const job = await scheduled(stage, 'job');
    expect(job).toMatchObject({ kind: 'cron', last_exit: { code: 0 } });
    expect(Date.parse(job.next_run_at ?? '') % 1000).toBe(0);
    // Each second is in the history, also one at which a busy machine had not finished the run before.
    const runs = await runsOf(stage, 'job');
    const dues = runs.map(({ due_at: due }) => Date.parse(due));
    expect(dues.length).toBeGreaterThanOrEqual(3);
    const begins = runs.map(({ due_at: due, started_at: began }) => Date.parse(began ?? due));
    for (const [at, due] of dues.entries()) {
      const began = begins[at] ?? 0;
      expect(began).toBeGreaterThanOrEqual(due);
      const next = dues[at + 1] ?? due + 1000;
      expect(next % 1000).toBe(0);
      expect(next).toBeGreaterThan(due);
      // Only seconds that were over when this run began are left out.
      expect(next).toBeLessThanOrEqual(Math.floor(began / 1000) * 1000 + 1000);
    }
  });

  scenario(
    'a due time during a run is recorded as overlap, and the service does not run twice at once',
    async (stage) => {
      await started(stage, loose({ job: shell('echo run >>runs; exec sleep 1000', EVERY_SECOND) }));
      await runWith(stage, 'job', 'overlap');
      expect(linesOf(stage, 'runs')).toHaveLength(1);
      expect(stage.members('job').filter(({ leader }) => leader)).toHaveLength(1);
    },
  );

  scenario(
    'a scheduled run that exceeds its timeout is ended with its whole tree: ERR0114',
    async (stage) => {
      const cron = { ...ONCE_A_YEAR.cron, timeout: '1s' };
      const onerr = { command: 'echo "$SUP_HOOK $SUP_ERROR" >>hooks' };
      await started(stage, loose({ job: shell('sleep 1001 & sleep 1002', { cron, hooks: { onerr } }) }));
      await stage.sup('start', '--daemonize', '--service', 'job');
      await runWith(stage, 'job', 'timeout');
      expect(await linesCome(stage, 'hooks', 1)).toEqual(['onerr ERR0114']);
      await agree(stage, { job: 'scheduled' });
    },
  );

  scenario('a scheduled run that fails fires its hook once and is not restarted', async (stage) => {
    stage.settings(EARLY);
    const hooks = { onerr: { command: 'echo "$SUP_HOOK $SUP_EXIT_CODE" >>hooks' } };
    await started(stage, loose({ job: shell('echo run >>runs; exit 3', { ...ONCE_A_YEAR, hooks }) }));
    const outcome = await stage.sup('start', '--daemonize', '--service', 'job');
    expect(outcome.status).toBe(1);
    const run = await runWith(stage, 'job', 'failure');
    expect(run.exit).toMatchObject({ code: 3 });
    expect(await linesCome(stage, 'hooks', 1)).toEqual(['onerr 3']);
    const { job } = await agree(stage, { job: 'scheduled' });
    expect(job.restarts).toBe(0);
    expect(linesOf(stage, 'runs')).toHaveLength(1);
  });

  scenario('a scheduled service runs at once only if it is started by name', async (stage) => {
    await started(stage, loose({ job: shell('echo run >>runs', ONCE_A_YEAR) }));
    await agree(stage, { job: 'scheduled' });
    expect(linesOf(stage, 'runs')).toEqual([]);
    expectDone(await stage.sup('start', '--daemonize', '--service', 'job'));
    await runWith(stage, 'job', 'success');
    await agree(stage, { job: 'scheduled' });
  });

  scenario('a scheduled service satisfies its dependents at once', async (stage) => {
    await started(stage, loose({ job: shell('true', ONCE_A_YEAR), web: steady({ depends_on: ['job'] }) }));
    await agree(stage, { job: 'scheduled', web: 'running' });
  });

  scenario('a stopped scheduled service does not run', async (stage) => {
    await started(
      stage,
      loose({ job: shell('echo run >>runs', EVERY_SECOND), clock: shell('echo run >>ticks', EVERY_SECOND) }),
    );
    expectDone(await stage.sup('stop', '--service', 'job'));
    const before = linesOf(stage, 'runs').length;
    const ticks = linesOf(stage, 'ticks').length;
    await linesCome(stage, 'ticks', ticks + 2);
    expect(linesOf(stage, 'runs')).toHaveLength(before);
    const { document } = await stage.status();
    expect(serviceIn(document, 'job')).toMatchObject({ state: 'stopped', next_run_at: null });
  });

  scenario(
    'a scheduled service keeps its history and its schedule when the supervisor is killed',
    async (stage) => {
      const cron = { expression: '*/2 * * * * *' };
      await started(stage, loose({ job: shell('echo run >>runs', { cron }), web: steady() }));
      await linesCome(stage, 'runs', 1);
      const first = await runWith(stage, 'job', 'success');
      await onDisk(stage, '__loose__', String(Date.parse(first.due_at)));
      await killSupervisor(stage);
      const count = linesOf(stage, 'runs').length;
      expectDone(await stage.sup('start', '--daemonize', '--service', 'web'));
      await linesCome(stage, 'runs', count + 1);
      expect((await runsOf(stage, 'job')).map(({ due_at: due }) => due)).toContain(first.due_at);
    },
  );

  scenario('catch_up runs a job once for the times at which no supervisor ran', async (stage) => {
    const cron = { expression: '*/2 * * * * *', catch_up: 'once' };
    await started(stage, loose({ job: shell('echo run >>runs', { cron }), web: steady() }));
    await linesCome(stage, 'runs', 1);
    const first = await runWith(stage, 'job', 'success');
    await onDisk(stage, '__loose__', String(Date.parse(first.due_at)));
    await killSupervisor(stage);
    const since = Date.now();
    await eventually({ what: 'two missed times', look: () => Date.now() > since + 4000 || undefined });
    expectDone(await stage.sup('start', '--daemonize', '--service', 'web'));
    const late = await eventually({
      what: 'a run that is caught up',
      look: async () => (await runsOf(stage, 'job')).find(({ by }) => by === 'caught-up'),
    });
    expect(Date.parse(late.due_at)).toBeLessThan(since + 2000);
    const events = await eventually({
      what: 'the stored event',
      look: async () => {
        const told = await stage.sup('events', '--json', '--kind', 'health,schedule');
        return told.stdout.includes('caught up: the run of') ? told : undefined;
      },
    });
    expect(events.stdout).not.toContain('"kind":"state"');
    expectFailed(await stage.sup('events', '--kind', 'nothing'), 'ERR0200', 2);
  });

  scenario('a run with jitter begins at the delayed time that status announced', async (stage) => {
    const [period, jitter] = [2000, 900];
    const cron = { expression: '*/2 * * * * *', jitter: `${jitter}ms` };
    await started(stage, loose({ job: shell('echo run >>runs', { cron }) }));
    const job = await scheduled(stage, 'job');
    const announced = Date.parse(job.next_run_at ?? '');
    const delay = announced % period;
    expect(delay).toBeLessThan(jitter);
    const run = await eventually({
      what: 'the announced run',
      look: async () => {
        const found = (await runsOf(stage, 'job')).find(
          ({ due_at: due }) => Date.parse(due) === announced - delay,
        );
        return found?.result === 'success' ? found : undefined;
      },
    });
    expect(Date.parse(run.started_at ?? '')).toBeGreaterThanOrEqual(announced);
    expect(run.by).toBe(delay === 0 ? undefined : 'delayed');
    // On a busy machine the last run may be one that was not begun, as the one before it had not ended.
    await holds('the next and the last run', async () => {
      const { reason } = await scheduled(stage, 'job');
      return /^next run in .*; last run: success( \(delayed .*s\))?$/.test(reason ?? '');
    });
    expect((await stage.sup('why', 'job')).stdout).toMatch(/next run in/);
  });
});
