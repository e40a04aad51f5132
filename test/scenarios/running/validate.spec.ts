// Validate: a manifest is checked with the variables that it will be started with.
import { describe, expect } from 'vitest';
import { loose, project, shell, steady } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import { expectDone, expectFailed, started } from '../support/witnesses.ts';

describe('validate', () => {
  scenario('validate uses the environment of a running supervisor, as start does', async (stage) => {
    const manifest = loose({ job: shell('echo ${COLOUR:?which}', { restart_policy: 'never' }) });
    stage.declare(manifest, 'job.yaml');
    const environment = { COLOUR: 'blue' };
    expectFailed(await stage.sup('validate', 'job.yaml'), 'ERR0216');
    const before = await stage.begin(['validate', 'job.yaml'], { environment }).ended;
    expect([before.status, before.stderr]).toEqual([0, '']);
    await started(stage, loose({ web: steady() }));
    const after = await stage.begin(['validate', 'job.yaml'], { environment }).ended;
    expectFailed(after, 'ERR0216');
    expect(after.stderr).toContain('note: COLOUR is set in this shell, but not for the supervisor that runs');
    expectFailed(await stage.begin(['start', '-d', '-c', 'job.yaml'], { environment }).ended, 'ERR0216');
    expectDone(await stage.sup('shutdown'));
  });

  scenario(
    'validate accepts a project without services if another registered manifest declares them',
    async (stage) => {
      await started(stage, { projects: { empty: { services: {} } } });
      stage.declare(project('empty', { web: steady() }), 'other.yaml');
      expectFailed(await stage.sup('start', '-d', '-c', 'other.yaml'), 'ERR0218');
      for (const ending of [undefined, 'shutdown']) {
        if (ending !== undefined) expectDone(await stage.sup(ending));
        const refused = await stage.sup('validate', 'other.yaml');
        expectFailed(refused, 'ERR0218');
        expect(refused.stderr.match(/ERR0218/g)).toHaveLength(1);
        expectDone(await stage.sup('validate'));
      }
    },
  );
});
