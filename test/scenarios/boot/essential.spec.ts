// `sup supervise -c`: a supervisor that is given its manifests, shows what they print, and ends with an essential service.
import { describe, expect } from 'vitest';
import { eventually, holds } from '../support/eventually.ts';
import { loose, project, shell, steady } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import type { Stage } from '../support/stage.ts';
import { come, expectDone } from '../support/witnesses.ts';

const QUIET = { restart_policy: 'never', essential: true } as const;
const ending = (command: string) => shell(`echo begun; ${command}`, QUIET);

const given = (stage: Stage, file = 'sup.yaml', ...more: readonly string[]) =>
  stage.begin(['supervise', '-c', file, ...more]);

describe('a supervisor that was given its manifests', () => {
  scenario(
    'a supervisor exits with the status of an essential service after stopping everything in order',
    async (stage) => {
      stage.declare(
        loose({
          db: shell('trap "echo db ends; exit 0" TERM; echo db begins; while :; do sleep 0.1; done'),
          web: shell('trap "echo web ends; exit 0" TERM; echo web begins; while :; do sleep 0.1; done', {
            depends_on: ['db'],
          }),
          api: shell('echo serving; while ! test -f end; do sleep 0.05; done; echo unfinished >&2; exit 7', {
            ...QUIET,
            depends_on: ['web'],
          }),
        }),
      );
      const begun = given(stage);
      await come(stage, { db: 'running', web: 'running', api: 'running' });
      const begins = ['db begins', 'web begins', 'serving'];
      await holds('what each prints first', () => begins.every((text) => begun.stdout().includes(text)));
      stage.write('end', '');
      const { status, stdout, stderr } = await begun.ended;
      expect(status).toBe(7);
      // A shell may remark that its sleep was ended.
      const lines = stdout
        .trimEnd()
        .split('\n')
        .filter((line) => !line.endsWith('Terminated'));
      expect(lines.toSorted()).toEqual(
        [
          ...['db  | db begins', 'db  | db ends', 'web | web begins', 'web | web ends'],
          ...['api | serving', 'api | unfinished'],
        ].toSorted(),
      );
      expect(lines.indexOf('web | web ends')).toBeLessThan(lines.indexOf('db  | db ends'));
      expect(stderr).toContain('the supervisor ends: api is essential, and has ended for good');
      expect(stage.members()).toEqual([]);
    },
  );

  scenario(
    'a supervisor exits with 0 when its essential service is done, also if it was done before',
    async (stage) => {
      stage.declare(loose({ job: ending('exit 0'), aside: steady() }));
      expect(await given(stage).ended).toMatchObject({ status: 0, stdout: 'job   | begun\n' });
      // Its data directory is the same: a job that is done stays done.
      expect(await given(stage).ended).toMatchObject({ status: 0 });
    },
  );

  scenario(
    'a supervisor reports a signal or an open breaker of its essential service like a shell',
    async (stage) => {
      stage.declare(
        loose({ job: { ...QUIET, exec: ['sh', '-c', 'echo begun; kill -KILL $$'] } }),
        'killed.yaml',
      );
      expect(await given(stage, 'killed.yaml', '--quiet').ended).toMatchObject({ status: 137, stdout: '' });
      const tired = { restart_policy: 'always', max_restarts: 1, backoff: '10ms', essential: true } as const;
      stage.declare(project('shop', { api: shell('echo once; exit 3', tired) }), 'tired.yaml');
      const outcome = await given(stage, 'tired.yaml', '--json').ended;
      expect(outcome.status).toBe(3);
      const documents = outcome.stdout.trimEnd().split('\n');
      expect(documents.map((line) => JSON.parse(line) as object)).toMatchObject([
        { schema: 'sup.log/1', project: 'shop', service: 'api', text: 'once' },
        { schema: 'sup.log/1', project: 'shop', service: 'api', text: 'once' },
      ]);
    },
  );

  scenario('a supervisor exits with an error if a manifest it was given is unusable', async (stage) => {
    stage.declare(project('shop', { api: steady() }), 'one.yaml');
    stage.declare(project('shop', { api: steady() }), 'two.yaml');
    const outcome = await stage.sup('supervise', '-c', 'one.yaml', '-c', 'two.yaml');
    expect(outcome.status).toBe(1);
    expect(outcome.stderr).toMatch(/ERR0218.*two\.yaml|two\.yaml.*ERR0218/s);
    expect(stage.members()).toEqual([]);
  });

  scenario(
    'a supervisor continues while no essential service ends, and stops in order at SIGTERM',
    async (stage) => {
      stage.declare(loose({ job: shell('exit 4', { restart_policy: 'never' }), web: steady(QUIET) }));
      const begun = given(stage);
      await eventually({
        what: 'web up, the job failed',
        look: async () => {
          const states = (await stage.status()).document.projects.flatMap(({ services }) =>
            services.map(({ state }) => state),
          );
          return states.join() === 'failed,running' ? true : undefined;
        },
      });
      begun.child.kill('SIGTERM');
      expect(await begun.ended).toMatchObject({ status: 0 });
    },
  );

  scenario('a supervisor continues if its output is not read', async (stage) => {
    stage.declare(loose({ noise: shell('yes | head -c 3000000; touch printed; exec sleep 1000') }));
    const begun = given(stage);
    begun.child.stdout?.pause();
    await holds(
      'all of it is printed',
      async () => (await stage.sup('exec', 'noise', '--', 'test', '-f', 'printed')).status === 0,
    );
    begun.child.stdout?.destroy();
    await come(stage, { noise: 'running' });
    begun.child.kill('SIGTERM');
    expect((await begun.ended).status).toBe(0);
  });
});

describe('a resident supervisor', () => {
  scenario('a resident supervisor ignores essential and says so', async (stage) => {
    stage.declare(loose({ job: steady(QUIET) }));
    const outcome = await stage.sup('start', '--daemonize');
    expect(outcome.stderr).toContain('warning: job: essential has an effect only with sup supervise -c');
    expectDone(outcome);
    expectDone(await stage.sup('apply', '--quiet'));
    await come(stage, { job: 'running' });
  });
});
