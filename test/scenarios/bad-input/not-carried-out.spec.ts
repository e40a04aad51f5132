// What sup does not carry out is said: version 2 warns and starts, version 3 refuses; no service runs as root because its
// user could not be taken.
import { describe, expect } from 'vitest';
import { loose, steady } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import { agree, errorOf, expectFailed } from '../support/witnesses.ts';
import type { ProblemsDocument } from '../../../src/streams/wire/documents/documents.ts';

const asking = loose({ web: steady({ isolation: { private_tmp: true } }) });
const KEYS = ['services.web.isolation.private_tmp'];

describe('a manifest with keys that are not carried out', () => {
  scenario('starts under version 2 and names each of them, as validate does', async (stage) => {
    const file = stage.declare(asking);
    const validate = await stage.sup('validate', '-c', file, '--json');
    const { problems } = JSON.parse(validate.stdout) as ProblemsDocument;
    expect(problems.map(({ code, severity, path }) => [code, severity, path])).toEqual(
      KEYS.map((key) => ['ERR0721', 'warning', key]),
    );
    const start = await stage.sup('start', '-c', file, '--daemonize', '--json');
    expect(start.status).toBe(0);
    const { warnings } = JSON.parse(start.stdout) as { warnings: readonly string[] };
    expect(warnings.map((text) => text.split(': ')[0])).toEqual(KEYS.map((key) => `ERR0721 ${key}`));
    await agree(stage, { web: 'running' });
  });

  scenario('is refused under version 3', async (stage) => {
    const file = stage.declare({ ...asking, version: '3' });
    const start = await stage.sup('start', '-c', file, '--daemonize', '--json');
    expect(start.status).toBe(1);
    expect(errorOf(start).problems?.map(({ code, path }) => [code, path])).toEqual(
      KEYS.map((key) => ['ERR0721', key]),
    );
    expect(stage.members()).toEqual([]);
  });
});

describe('without --sys', () => {
  scenario('a service never runs as root because its user could not be taken', async (stage) => {
    if (process.getuid?.() !== 0) throw new Error('only root can be mistaken for somebody else');
    const file = stage.declare(loose({ web: steady({ user: 'nobody', restart_policy: 'never' }) }));
    const start = await stage.sup('start', '-c', file, '--daemonize');
    expectFailed(start, 'ERR0742');
    expect(start.stderr).toContain('it would run as root and not as nobody');
    expect(stage.members()).toEqual([]);
  });
});
