// Status: documents and tables, with and without a supervisor. The words themselves are walked under races.
import { existsSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { holds } from '../support/eventually.ts';
import { killSupervisor } from '../support/own-death.ts';
import { loose, shell, steady, UNREADY } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import { agree, come, serviceIn, started } from '../support/witnesses.ts';

const KEYS = [
  'awaits_restart',
  'because_of',
  'cpu_percent',
  'deploy',
  'error',
  'evidence',
  'health',
  'kind',
  'last_exit',
  'last_failure',
  'max_restarts',
  'name',
  'next_attempt_at',
  'next_run_at',
  'next_step',
  'pid',
  'ready_at',
  'reason',
  'restarts',
  'restarts_total',
  'rollout',
  'rss_bytes',
  'run',
  'slot',
  'started_at',
  'state',
  'wanted',
];

describe('status', () => {
  scenario('status without services is an empty, valid document with exit status 3', async (stage) => {
    const { status, document } = await stage.status();
    expect(status).toBe(3);
    expect(document).toEqual({
      schema: 'sup.status/1',
      supervisor: {
        running: false,
        pid: null,
        version: null,
        since: null,
        process_start: null,
        restarts: null,
        warnings: [],
      },
      projects: [],
    });
    const human = await stage.sup('status');
    expect(human.status).toBe(3);
    expect(`${human.stdout}${human.stderr}`).toMatch(/no supervisor/);
  });

  scenario('status has every key of every service, null if unknown', async (stage) => {
    stage.declare(
      loose({
        up: steady(),
        bad: shell('exit 1', { ...UNREADY, restart_policy: 'never' }),
        job: shell('true', { cron: { expression: '0 0 1 1 *', timezone: 'utc' } }),
      }),
    );
    await stage.sup('start', '--daemonize');
    const all = await agree(stage, { up: 'running', bad: 'failed', job: 'scheduled' });
    for (const service of Object.values(all)) expect(Object.keys(service).toSorted()).toEqual(KEYS);
    expect(all.job.next_run_at).toMatch(/^\d{4}-01-01T/);
    expect(all.up.started_at).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  });

  scenario('status gives a reason for each service that does not simply run', async (stage) => {
    stage.declare(
      loose({
        up: steady(),
        bad: shell('exit 7', { ...UNREADY, restart_policy: 'never' }),
        waiting: steady({ depends_on: ['bad'] }),
        again: shell('exit 8', { ...UNREADY, backoff: '10m' }),
        done: shell('true', UNREADY),
        skipped: steady({ skip: true }),
        behind: steady({ depends_on: ['skipped'] }),
      }),
    );
    await stage.sup('start', '--daemonize');
    const all = await agree(stage, {
      up: 'running',
      bad: 'failed',
      waiting: 'waiting',
      again: 'backoff',
      done: 'done',
      skipped: 'skipped',
      behind: 'skipped',
    });
    const reasons = Object.fromEntries(Object.entries(all).map(([name, { reason }]) => [name, reason ?? '']));
    expect(reasons['up']).toBe('');
    expect(reasons['bad']).toContain('7');
    expect(reasons['waiting']).toContain('bad');
    expect(reasons['again']).toMatch(/8.*attempt 1 of 8/);
    expect(reasons['behind']).toContain('skipped');
    const human = await stage.sup('status');
    for (const [name, reason] of Object.entries(reasons)) {
      const line = human.stdout.split('\n').find((text) => text.includes(`${name} `)) ?? '';
      expect(line).toContain(reason.split(';')[0]?.slice(0, 20) ?? '');
    }
  });

  scenario('status says lost for an exit that was not seen', async (stage) => {
    await started(stage, loose({ web: steady({ restart_policy: 'never' }), other: steady() }));
    const { web } = await agree(stage, { web: 'running' });
    await killSupervisor(stage);
    process.kill(web.pid ?? 0, 'SIGKILL');
    // While it waits to be reaped, the next supervisor would learn how it ended.
    await holds('it reaped', () => !existsSync(`/proc/${web.pid ?? 0}`));
    const offline = await stage.status();
    expect(offline.status).toBe(3);
    expect(serviceIn(offline.document, 'web')).toMatchObject({ state: 'lost', pid: null });
    await stage.sup('start', '--daemonize', '--service', 'other');
    const after = await come(stage, { web: 'lost', other: 'running' });
    expect(after.web.reason).toMatch(/unknown/);
  });

  scenario('status narrows to a project and to a service', async (stage) => {
    await started(stage, {
      projects: {
        shop: { services: { web: steady(), db: steady() } },
        blog: { services: { web: steady() } },
      },
    });
    const names = async (...args: readonly string[]) => {
      const { stdout } = await stage.sup('status', '--json', ...args);
      const { projects } = JSON.parse(stdout) as { projects: { id: string; services: { name: string }[] }[] };
      return projects.flatMap(({ id, services }) => services.map(({ name }) => `${id}/${name}`));
    };
    expect(await names('-p', 'shop')).toEqual(expect.arrayContaining(['shop/web', 'shop/db']));
    expect(await names('-p', 'shop')).toHaveLength(2);
    expect(await names('--service', 'blog/web')).toEqual(['blog/web']);
    await agree(stage, { 'shop/web': 'running', 'shop/db': 'running', 'blog/web': 'running' });
  });
});
