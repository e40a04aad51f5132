// What would be done, told before it is done, and then done: `plan`, `apply --dry-run`, `apply`.
import { describe, expect } from 'vitest';
import { linesOf } from '../support/marks.ts';
import { project, shell, steady, type Declared } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import type { Stage } from '../support/stage.ts';
import { onTerminal } from '../support/terminal.ts';
import { agree, expectDone, expectFailed, serviceIn, started } from '../support/witnesses.ts';

const rolling = { strategy: 'rolling' };
const pidOf = async (stage: Stage, name: string): Promise<number | null> =>
  serviceIn((await stage.status()).document, name).pid;

const before = {
  gone: steady(),
  db: steady(),
  web: steady({ depends_on: ['db'], env: { vars: { RELEASE: '1' } }, deployment: rolling }),
  same: steady(),
};
const after = {
  web: steady({ depends_on: ['db'], env: { vars: { RELEASE: '2' } }, deployment: rolling }),
  db: steady({ depends_on: ['fresh'], exec: ['sleep', '2000'] }),
  same: steady(),
  fresh: steady(),
};

describe('a plan', () => {
  scenario('a plan without changes is empty and exits with 0', async (stage) => {
    await started(stage, project('shop', before));
    for (const line of [['plan'], ['apply', '--dry-run']])
      expect(await stage.sup(...line)).toMatchObject({
        status: 0,
        stdout: 'no changes\n',
      });
    const { status, stdout } = await stage.sup('plan', '--json');
    expect({ status, document: JSON.parse(stdout) as unknown }).toMatchObject({
      status: 0,
      document: { schema: 'sup.plan/1', changes: [] },
    });
  });

  scenario(
    'a plan of unchanged services names those that do not run, and how to start them',
    async (stage) => {
      await started(stage, project('shop', { db: steady(), web: steady(), api: steady() }));
      expectDone(await stage.sup('stop', 'shop/db', 'shop/web'));
      const stdout =
        'no changes\n' +
        '2 services do not run: shop/db, shop/web\n  sup start shop/db shop/web starts them\n';
      expect(await stage.sup('plan')).toMatchObject({ status: 0, stdout });
      expect(await stage.sup('apply')).toMatchObject({
        status: 0,
        stdout: 'no changes\n',
      });
      await agree(stage, { 'shop/db': 'stopped', 'shop/web': 'stopped' });
    },
  );

  scenario(
    'a plan names removed, new and changed services in order, with keys, strategy and downtime',
    async (stage) => {
      await started(stage, project('shop', before));
      const pids = await agree(stage, { 'shop/db': 'running', 'shop/web': 'running' });
      stage.declare(project('shop', after));
      const plan = await stage.sup('plan');
      expect(plan.status).toBe(2);
      const lines = plan.stdout.trimEnd().split('\n');
      expect(lines.map((line) => line.replace(/about \d+ ms/, 'about N ms'))).toEqual([
        '- shop/gone  remove: stops',
        '+ shop/fresh  add: starts',
        '~ shop/db  change, immediate: down for about N ms',
        '    exec: ["sleep","1000"] → ["sleep","2000"] (needs a new run)',
        '    depends_on: [{"service":"shop/fresh","condition":"started"}] (new)',
        '~ shop/web  change, rolling: not down',
        '    env.vars.RELEASE: *** → ***',
      ]);
      expect(await stage.sup('apply', '--dry-run')).toMatchObject({ status: 2, stdout: plan.stdout });
      const dryRun = await stage.sup('apply', '--dry-run', '--json');
      expect(dryRun).toMatchObject({ status: 2, stdout: (await stage.sup('plan', '--json')).stdout });
      expect(JSON.parse(dryRun.stdout)).toMatchObject({
        changes: [
          { service: 'shop/gone', action: 'remove' },
          { service: 'shop/fresh', action: 'add', down_ms: 0 },
          {
            service: 'shop/db',
            action: 'change',
            strategy: 'immediate',
            down_ms: expect.any(Number) as unknown,
          },
          {
            service: 'shop/web',
            action: 'change',
            strategy: 'rolling',
            down_ms: 0,
            keys: [{ key: 'env.vars.RELEASE', from: '***', to: '***' }],
          },
        ],
      });
      expect(await pidOf(stage, 'shop/db')).toBe(pids['shop/db'].pid);
      expect(await pidOf(stage, 'shop/web')).toBe(pids['shop/web'].pid);
      expect((await stage.status()).document.projects.flatMap(({ services }) => services)).toHaveLength(4);
    },
  );

  scenario('a plan says that apply does not start skipped and scheduled services', async (stage) => {
    await started(stage, project('shop', { db: steady() }));
    stage.declare(
      project('shop', {
        db: steady(),
        off: steady({ skip: true }),
        behind: steady({ depends_on: ['off'] }),
        job: steady({ cron: { expression: '0 0 1 1 *' } }),
        web: steady({ depends_on: ['db', 'job'] }),
      }),
    );
    const { stdout } = await stage.sup('plan');
    expect(stdout.trimEnd().split('\n').sort()).toEqual([
      '+ shop/behind  add: is skipped',
      '+ shop/job  add: runs at its times only',
      '+ shop/off  add: is skipped',
      '+ shop/web  add: starts',
    ]);
    expectDone(await stage.sup('apply'));
    await agree(stage, {
      'shop/behind': 'skipped',
      'shop/job': 'scheduled',
      'shop/off': 'skipped',
      'shop/web': 'running',
    });
  });

  scenario('a plan of one service names no other', async (stage) => {
    await started(stage, project('shop', before));
    stage.declare(project('shop', after));
    const { status, stdout } = await stage.sup('plan', 'shop/web');
    expect({ status, stdout }).toEqual({
      status: 2,
      stdout: '~ shop/web  change, rolling: not down\n    env.vars.RELEASE: *** → ***\n',
    });
  });

  scenario('a plan shows values of variables only on a terminal with --show-values', async (stage) => {
    const declared = (secret: string): Readonly<Record<string, Declared>> => ({
      web: steady({
        env: { vars: { TOKEN: secret } },
        deployment: { health_check: { command: `true --password ${secret}` } },
      }),
    });
    await started(stage, project('shop', declared('alpha')));
    stage.declare(project('shop', declared('omega')));
    const lines = [['plan'], ['plan', '--json'], ['plan', '-v'], ['apply', '--dry-run', '--json']];
    for (const line of lines) {
      const { stdout, stderr } = await stage.sup(...line);
      expect(stdout).toContain('env.vars.TOKEN');
      expect(stdout).toContain('true --password ***');
      expect(stdout + stderr).not.toMatch(/alpha|omega/);
    }
    for (const line of [
      ['plan', '--show-values'],
      ['apply', '--dry-run', '--show-values'],
      ['apply', '--show-values'],
    ])
      expectFailed(await stage.sup(...line), 'ERR0200', 2);
    const terminal = onTerminal(stage, stage.line('plan', '--show-values'), {
      columns: 120,
      rows: 30,
    });
    try {
      await terminal.shows(/env\.vars\.TOKEN: alpha → omega/);
      expect((await terminal.ended()).status).toBe(2);
    } finally {
      terminal.close();
    }
    const { stdout, stderr } = await stage.sup('apply');
    expect(stdout + stderr).not.toMatch(/alpha|omega/);
    expect((await stage.sup('inspect', 'shop/web', '--json')).stdout).not.toContain('omega');
  });

  scenario('a plan with an invalid manifest is refused with 1, as apply would be', async (stage) => {
    await started(stage, project('shop', before));
    stage.write('sup.yaml', 'version: "2"\nservices: { web: { exec: 7 } }\n');
    for (const line of [['plan'], ['apply', '--dry-run'], ['apply']])
      expectFailed(await stage.sup(...line), 'ERR0301', 1);
    await agree(stage, { 'shop/gone': 'running', 'shop/web': 'running' });
  });
});

describe('an apply', () => {
  scenario(
    'an apply does what the plan said, each service by its strategy, and leaves the rest alone',
    async (stage) => {
      await started(stage, project('shop', before));
      const { 'shop/same': same, 'shop/web': web } = await agree(stage, {
        'shop/same': 'running',
        'shop/web': 'running',
      });
      stage.declare(project('shop', after));
      expectDone(await stage.sup('apply'));
      const now = await agree(stage, {
        'shop/fresh': 'running',
        'shop/db': 'running',
        'shop/web': 'running',
        'shop/same': 'running',
      });
      expect(now['shop/same'].pid).toBe(same.pid);
      expect(now['shop/web'].pid).not.toBe(web.pid);
      expect(stage.members('shop/gone')).toEqual([]);
      const rolled = async (name: string): Promise<number | undefined> =>
        (await stage.inspect(name)).services[0]?.rollouts.length;
      expect([await rolled('shop/web'), await rolled('shop/db')]).toEqual([1, 0]);
      expect((await stage.sup('plan')).status).toBe(0);
    },
  );

  scenario('after an apply that failed the plan is not empty', async (stage) => {
    await started(stage, project('shop', { web: steady({ deployment: rolling }) }));
    stage.declare(project('shop', { web: shell('exit 3', { deployment: rolling }) }));
    expectFailed(await stage.sup('apply'), 'ERR0302');
    expect(await stage.sup('plan')).toMatchObject({ status: 2 });
  });
});

interface Marked {
  readonly depends_on?: readonly string[];
  readonly deployment?: Declared;
}

describe('a restart', () => {
  /** Notes each of its starts before its process begins. */
  const marked = (name: string, { deployment = {}, ...more }: Marked = {}): Declared =>
    steady({ ...more, deployment: { ...deployment, pre_start: `echo ${name} >>order` } });

  scenario('a restart with dependents restarts them in order', async (stage) => {
    await started(
      stage,
      project('shop', {
        web: marked('web', { depends_on: ['api'], deployment: rolling }),
        api: marked('api', { depends_on: ['db'] }),
        db: marked('db'),
        other: marked('other'),
      }),
    );
    const first = linesOf(stage, 'order').length;
    expectDone(await stage.sup('restart', 'shop/db', '--with-dependents'));
    expect(linesOf(stage, 'order').slice(first)).toEqual(['db', 'api', 'web']);
    expectDone(await stage.sup('restart', 'shop/api'));
    expect(linesOf(stage, 'order').slice(first + 3)).toEqual(['api']);
  });

  scenario('a restart without a supervisor starts one and all services', async (stage) => {
    await started(stage, project('shop', { db: steady(), web: steady({ deployment: rolling }) }));
    expectDone(await stage.sup('shutdown'));
    expect(stage.members()).toEqual([]);
    const outcome = await stage.sup('restart');
    expectDone(outcome);
    expect(outcome.stdout).toContain('2 services started: shop/db, shop/web');
    await agree(stage, { 'shop/db': 'running', 'shop/web': 'running' });
  });
});
