// What sup does not carry out is said: version 2 warns and starts, version 3 refuses; no service runs as root because its
// user could not be taken.
import { describe, expect } from 'vitest';
import { supOf, withoutAddon } from '../support/elsewhere.ts';
import { holds } from '../support/eventually.ts';
import { supervisorLog } from '../support/logs.ts';
import { EARLY, loose, shell, steady } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import { agree, come, errorOf, expectDone, expectFailed } from '../support/witnesses.ts';
import type { ProblemsDocument } from '../../../src/streams/wire/documents/basic-documents.ts';

const asking = loose({ web: steady({ isolation: { private_tmp: true } }) });
const INSTEAD = 'is never applied: use isolation.protect: { tmp: private }';
const KEYS = ['services.web.isolation.private_tmp'];

describe('a manifest with keys that are not carried out', () => {
  scenario(
    'a manifest with keys that are not applied starts under version 2 and names each, as validate does',
    async (stage) => {
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
      const { web } = await agree(stage, { web: 'running' });
      expect(web.reason).toBe('runs without isolation.private_tmp');
      expect((await stage.inspect('web')).services[0]?.skipped_isolation).toEqual([
        'isolation.private_tmp: is never applied',
      ]);
    },
  );

  scenario(
    'keys that are not applied are also named by a failed answer and by a supervisor that was given the manifest',
    async (stage) => {
      stage.settings(EARLY);
      const broken = shell('exit 3', { restart_policy: 'never' });
      const file = stage.declare(loose({ web: steady({ isolation: { private_tmp: true } }), broken }));
      const start = await stage.sup('start', '-c', file, '--daemonize');
      expectFailed(start, 'ERR0102');
      expect(start.stderr).toContain(`warning: ERR0721 ${KEYS.join()}: ${INSTEAD}`);
      const restart = await stage.sup('restart', '--json');
      expect(JSON.parse(restart.stderr)).toMatchObject({
        error: { code: 'ERR0302' },
        warnings: [`ERR0721 ${KEYS.join()}: ${INSTEAD}`],
      });
      await stage.sup('shutdown');
      stage.begin(['supervise', '-c', file]);
      await holds('it runs', async () => (await stage.status()).document.supervisor.running);
      await come(stage, { web: 'running', broken: 'failed' });
      await holds('the warning in the log', () =>
        supervisorLog(stage).some((line) => line.includes(`warn ERR0721 ${KEYS.join()}: ${INSTEAD}`)),
      );
    },
  );

  scenario('keys that are not applied are refused under version 3', async (stage) => {
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
  scenario('without --sys a service never runs as root when its user cannot be applied', async (stage) => {
    if (process.getuid?.() !== 0) throw new Error('only root can be mistaken for somebody else');
    const file = stage.declare(loose({ web: steady({ user: 'nobody' }) }));
    const start = await stage.sup('start', '-c', file, '--daemonize');
    expectFailed(start, 'ERR0742');
    expect(start.stderr).toContain('it would run as root and not as nobody');
    // It is not tried again: waiting does not make a supervisor privileged.
    const { web } = await agree(stage, { web: 'failed' });
    expect(web).toMatchObject({ restarts: 0, next_attempt_at: null, run: 1 });
  });
});

describe('without the native addon', () => {
  const SAID = "without calls to the C library (Cannot find module 'ffi-napi/package.json'): ";

  scenario(
    'without the native addon validate, status and doctor name the keys that need it',
    async (stage) => {
      const bare = withoutAddon(stage);
      const limited = steady({ limits: { nofile: 100, nice: 5 } });
      const file = stage.declare(loose({ web: steady(), limited }));
      const validate = await supOf(stage, bare, 'validate', '-c', file, '--json');
      expect(validate.status).toBe(0);
      expect((JSON.parse(validate.stdout) as ProblemsDocument).problems).toMatchObject([
        {
          ...{ code: 'ERR0741', severity: 'warning', path: 'services.limited' },
          message: `not carried out ${SAID}limits.nofile, limits.nice`,
        },
      ]);
      expectFailed(await supOf(stage, bare, 'start', '-c', file, '--daemonize'), 'ERR0745');
      const undone = 'limits.nofile (limited), limits.nice (limited)';
      const { warnings } = (await stage.status()).document.supervisor;
      expect(warnings).toEqual([
        expect.stringContaining(`not carried out ${SAID}${undone}; in a clone: npm run addon`),
      ]);
      // Whatever the program under test has: it asks the supervisor.
      const doctor = await stage.sup('doctor', '--quiet');
      expect(doctor.stdout).toContain(`ffi: no calls to the C library`);
      expect(doctor.stdout).toContain(`: not carried out: ${undone}`);
      expect(doctor.stdout).not.toContain('key limits.nofile');
      const again = await stage.sup('validate', '-c', file);
      expect([again.status, again.stderr]).toEqual([0, expect.stringContaining(SAID)]);
      expectDone(await stage.sup('shutdown'));
    },
  );
});
