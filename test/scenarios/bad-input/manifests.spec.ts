// Bad input: manifests that are missing, unreadable, broken or wrong. A typed error, and nothing is left running.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { project, steady } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import type { Stage } from '../support/stage.ts';
import { agree, errorOf, expectDone, expectFailed, started } from '../support/witnesses.ts';

/** No supervisor was brought up for it, and nothing runs. */
const nothingHappened = async (stage: Stage): Promise<void> => {
  expect(await stage.status()).toMatchObject({
    status: 3,
    document: { supervisor: { running: false }, projects: [] },
  });
  expect(stage.members()).toEqual([]);
};

describe('a start', () => {
  scenario('a start without a manifest says how to name one', async (stage) => {
    const outcome = await stage.sup('start', '--daemonize');
    expectFailed(outcome, 'ERR0203');
    expect(outcome.stderr).toMatch(/sup\.yaml|-c/);
    await nothingHappened(stage);
  });

  scenario('a start with a missing manifest names it', async (stage) => {
    const outcome = await stage.sup('start', '--daemonize', '-c', 'no/such.yaml');
    expectFailed(outcome, 'ERR0203');
    expect(outcome.stderr).toContain('no/such.yaml');
    await nothingHappened(stage);
  });

  scenario('a start with a directory instead of a manifest says so', async (stage) => {
    mkdirSync(join(stage.work, 'sup.yaml'));
    expectFailed(await stage.sup('start', '--daemonize'), 'ERR0203');
    await nothingHappened(stage);
  });

  scenario('a start with broken YAML names the line', async (stage) => {
    stage.write('sup.yaml', 'version: "2"\nservices:\n  web:\n    command: "sleep 1\n    nope: [');
    const outcome = await stage.sup('start', '--daemonize');
    expectFailed(outcome, 'ERR0217');
    expect(outcome.stderr).toMatch(/sup\.yaml:\d+:\d+/);
    await nothingHappened(stage);
  });

  scenario('a start with several mistakes reports all of them, as validate does', async (stage) => {
    stage.write(
      'sup.yaml',
      'version: 2\nservices:\n  web:\n    comand: sleep 1\n    backoff: 1.5s\n  api:\n    exec: [sleep, "1"]\n    depends_on: [nobody]\n',
    );
    const start = await stage.sup('start', '--daemonize', '--json');
    expect(start.status).toBe(1);
    const problems = (errorOf(start).problems ?? []).map(({ code, line }) => [code, line]);
    expect(problems).toEqual(
      expect.arrayContaining([
        ['ERR0211', 4],
        ['ERR0210', 5],
        ['ERR0214', 8],
      ]),
    );
    const validate = await stage.sup('validate', '--json');
    expect(validate.status).toBe(1);
    const told = JSON.parse(validate.stdout) as { problems: { code: string; line: number }[] };
    expect(told.problems.map(({ code, line }) => [code, line])).toEqual(problems);
    await nothingHappened(stage);
  });

  scenario('a start with an unknown key and a warning names the key in its error', async (stage) => {
    stage.declare(project('shop', { web: steady({ limits: { nofil: 10 } }) }));
    const error = errorOf(await stage.sup('start', '--daemonize', '--json'));
    expect(error).toMatchObject({ code: 'ERR0211', path: 'projects.shop.services.web.limits.nofil' });
    expect(error.message).toContain('"nofil" is not a key of limits');
    await nothingHappened(stage);
  });

  scenario('a start with a dependency cycle prints the cycle', async (stage) => {
    stage.declare(
      project('shop', {
        a: steady({ depends_on: ['b'] }),
        b: steady({ depends_on: ['c'] }),
        c: steady({ depends_on: ['a'] }),
      }),
    );
    const outcome = await stage.sup('start', '--daemonize');
    expectFailed(outcome, 'ERR0215');
    expect(outcome.stderr).toMatch(/a.*b.*c.*a|b.*c.*a.*b|c.*a.*b.*c/);
    await nothingHappened(stage);
  });

  scenario('a start with an unsupported version names the supported ones', async (stage) => {
    stage.write('sup.yaml', 'version: "1"\nservices: {}\n');
    const outcome = await stage.sup('start', '--daemonize');
    expectFailed(outcome, 'ERR0212');
    expect(outcome.stderr).toContain('migrate');
    await nothingHappened(stage);
  });

  for (const [kind, text] of Object.entries({
    'a billion laughs': `version: 2\n${Array.from({ length: 12 }, (_, n) => `x${n}: &a${n} [${Array.from({ length: 10 }, () => (n === 0 ? 'ha' : `*a${n - 1}`)).join(', ')}]`).join('\n')}\nservices: *a11\n`,
    'ten megabytes': `version: 2\nservices:\n  web:\n    command: "${'x'.repeat(10 * 1024 * 1024)}"\n`,
    'binary garbage': '\u0000\u0001\u0002\u0003\u007f\u0000 ]}{[',
    'two hundred levels': `version: 2\nservices: ${'{a: '.repeat(200)}1${'}'.repeat(200)}\n`,
  }))
    scenario(`a start with ${kind} is refused within seconds`, async (stage) => {
      stage.write('sup.yaml', text);
      const outcome = await stage.sup('start', '--daemonize');
      expect(outcome.status).toBe(1);
      expect(outcome.stderr).toMatch(/ERR02\d\d/);
      expect(outcome.stderr).not.toContain('ERR0001');
      expect(outcome.millis).toBeLessThan(30_000);
      await nothingHappened(stage);
    });

  scenario('a manifest that is broken later does not affect running services', async (stage) => {
    await started(stage, project('shop', { web: steady() }));
    const before = await agree(stage, { 'shop/web': 'running' });
    stage.write('sup.yaml', 'version: 2\nprojects: [');
    const outcome = await stage.sup('start', '--daemonize');
    expectFailed(outcome, 'ERR0217');
    const after = await agree(stage, { 'shop/web': 'running' });
    expect(after['shop/web'].pid).toBe(before['shop/web'].pid);
    stage.declare(project('shop', { web: steady() }));
    expectDone(await stage.sup('start', '--daemonize'));
  });
});
