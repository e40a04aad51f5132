// Logs: what services print ends in files, whole, in order, with times; `logs` shows it, with or without a supervisor.
import { existsSync, mkdirSync, readdirSync, rmdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { holds } from '../support/eventually.ts';
import { serviceLog, supervisorLog } from '../support/logs.ts';
import { fileComes } from '../support/marks.ts';
import { killSupervisor } from '../support/own-death.ts';
import { loose, program, project, shell } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import type { Stage } from '../support/stage.ts';
import { agree, expectDone, expectFailed, started } from '../support/witnesses.ts';

const LINE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z (stdout|stderr) (.*)$/;

const filesOf = ({ data }: Stage, project: string, service: string): readonly string[] =>
  readdirSync(join(data, 'logs', project)).filter((file) => file.startsWith(`${service}.log`));

const said = async (stage: Stage, ...args: readonly string[]): Promise<readonly string[]> => {
  const outcome = await stage.sup('logs', ...args);
  expectDone(outcome);
  return outcome.stdout.split('\n').filter(Boolean);
};

describe('the log of a service', () => {
  scenario(
    'a log has both streams with times, in order, and sup logs shows the last lines',
    async (stage) => {
      const talk =
        'for i in 1 2 3; do echo "out $i"; sleep 0.02; echo "err $i" >&2; sleep 0.02; done; touch said; exec sleep 1000';
      await started(stage, loose({ web: shell(talk) }));
      await fileComes(stage, 'said');
      await holds('all of it', () => serviceLog(stage, 'web').length === 6);
      const lines = serviceLog(stage, 'web').map((line) => LINE.exec(line) ?? []);
      const of = (stream: string): readonly (string | undefined)[] =>
        lines.filter(([, kind]) => kind === stream).map(([, , text]) => text);
      // Two streams are two FIFOs: which of them is read first is not promised.
      expect(of('stdout')).toEqual(['out 1', 'out 2', 'out 3']);
      expect(of('stderr')).toEqual(['err 1', 'err 2', 'err 3']);
      const times = lines.map(([line = '']) => line.slice(0, line.indexOf(' ')));
      expect(times).toEqual([...times].sort());
      const last = await said(stage, '--service', 'web', '-n', '2');
      expect(last.map((line) => /(?:out|err) \d/.exec(line)?.[0])).toEqual(
        lines.slice(-2).map(([, , text]) => text),
      );
      await agree(stage, { web: 'running' });
    },
  );

  scenario(
    'sup logs searches rotated logs of several services, long lines too, and keeps to a time range',
    async (stage) => {
      const talk = (name: string): string =>
        `i=0; while [ $i -lt 1200 ]; do i=$((i+1)); echo "${name} line $i."; done; head -c 150000 /dev/zero | tr '\\0' x; echo "${name} end"; touch ${name}.done; exec sleep 1000`;
      const logs = { max_bytes: 20_000, max_files: 20 };
      await started(
        stage,
        loose({ web: { ...shell(talk('web')), logs }, db: { ...shell(talk('db')), logs } }),
      );
      for (const name of ['web', 'db']) await fileComes(stage, `${name}.done`);
      await holds(
        'both ends',
        async () => (await said(stage, '--raw', '--grep', 'x(web|db) end$')).length === 2,
      );
      expect(filesOf(stage, '__loose__', 'web').length).toBeGreaterThan(3);
      const found = async (...args: readonly string[]) => (await said(stage, '--raw', ...args)).toSorted();
      expect(await found('--grep', 'line 17\\.')).toEqual(['db line 17.', 'web line 17.']);
      expect(await found('--grep', ' [0-9]7\\.$', '--since', '1h', 'web')).toEqual(
        [1, 2, 3, 4, 5, 6, 7, 8, 9].map((ten) => `web line ${ten}7.`),
      );
      expect(await found('-n', '2', '--grep', 'LINE', '-i', 'db')).toEqual([
        'db line 1199.',
        'db line 1200.',
      ]);
      const all = await said(stage, '--since', '1h');
      expect(all.length).toBe(2 * 1201);
      const times = all.map((line) => line.slice(0, line.indexOf(' ')));
      expect(times).toEqual([...times].sort());
      expect((await stage.sup('logs', '--until', '1h')).stdout).toBe('');
    },
  );

  scenario('status warns for as long as a log cannot be written', async (stage) => {
    const path = join(stage.data, 'logs', '__loose__', 'web.log');
    mkdirSync(path, { recursive: true });
    await started(
      stage,
      loose({ web: shell('while :; do echo tick; sleep 0.1; done'), db: shell('echo here; sleep 1000') }),
    );
    const warnings = async (): Promise<string> =>
      (await stage.status()).document.supervisor.warnings.join('\n');
    await holds('a warning', async () =>
      (await warnings()).startsWith('the log of web cannot be written (EISDIR): output is dropped'),
    );
    expectFailed(await stage.sup('logs', 'web'), 'ERR0701');
    rmdirSync(path);
    await holds('no warning', async () => (await warnings()) === '');
    expect((await said(stage, 'web')).join('\n')).toMatch(/lines were dropped/);
  });

  scenario('a log is rotated at max_bytes, and exactly max_files are kept', async (stage) => {
    const flood =
      'i=0; while [ $i -lt 3000 ]; do i=$((i + 1)); echo "line $i"; done; touch said; exec sleep 1000';
    await started(stage, loose({ web: shell(flood, { logs: { max_bytes: 10_000, max_files: 3 } }) }));
    await fileComes(stage, 'said');
    await holds('its last line', () => serviceLog(stage, 'web').at(-1)?.endsWith('line 3000') === true);
    expect(filesOf(stage, '__loose__', 'web').toSorted()).toEqual([
      'web.log',
      'web.log.1',
      'web.log.2',
      'web.log.3',
    ]);
    for (const file of filesOf(stage, '__loose__', 'web'))
      expect(statSync(join(stage.data, 'logs/__loose__', file)).size).toBeLessThan(90_000);
    const numbers = serviceLog(stage, 'web').map((line) => Number(/line (\d+)$/.exec(line)?.[1]));
    expect(numbers).toEqual(numbers.map((_, index) => index + (numbers[0] ?? 0)));
    await agree(stage, { web: 'running' });
  });

  scenario('with sink none no log is written, and the service is not affected', async (stage) => {
    const talk = 'echo hello && echo fine >told; exec sleep 1000';
    await started(stage, loose({ web: shell(talk, { logs: { sink: 'none' } }) }));
    await fileComes(stage, 'told');
    expect(existsSync(join(stage.data, 'logs/__loose__/web.log'))).toBe(false);
    await agree(stage, { web: 'running' });
  });

  scenario('with sink none the last lines are still available as evidence', async (stage) => {
    const logs = { sink: 'none' };
    // A start waits for this time or for the end of the service, however slow the machine is.
    stage.settings('<timeouts><startup_stability_ms>60000</startup_stability_ms></timeouts>');
    stage.declare(loose({ web: shell('echo last words; exit 3', { logs, restart_policy: 'never' }) }));
    const outcome = await stage.sup('start', '--daemonize');
    expectFailed(outcome, 'ERR0102');
    expect(outcome.stderr).toContain('| last words');
    const { web } = await agree(stage, { web: 'failed' });
    expect(web).toMatchObject({ evidence: ['last words'], next_step: 'sup inspect web' });
    expect(web.error?.hint).toBe('sup inspect web');
    const nothing = 'web keeps no log (logs.sink: none): sup why web shows what it printed last\n';
    expect((await stage.sup('logs', 'web')).stderr).toBe(nothing);
    expect((await stage.sup('why', 'web')).stdout).not.toContain('sup logs');
    expect(existsSync(join(stage.data, 'logs/__loose__/web.log'))).toBe(false);
  });

  scenario('two projects with the same service name have separate logs', async (stage) => {
    const services = (word: string) => ({ services: { web: shell(`echo from ${word}; exec sleep 1000`) } });
    await started(stage, { projects: { shop: services('shop'), blog: services('blog') } });
    await holds(
      'both lines',
      () => serviceLog(stage, 'shop/web').length + serviceLog(stage, 'blog/web').length === 2,
    );
    expect((await said(stage, '-p', 'shop')).join()).toMatch(/from shop$/);
    expect((await said(stage, '--service', 'blog/web')).join()).toMatch(/from blog$/);
    const everything = (await said(stage)).join('\n');
    expect(everything).toContain('from shop');
    expect(everything).toContain('from blog');
    await agree(stage, { 'shop/web': 'running', 'blog/web': 'running' });
  });

  scenario('a log is shown without a supervisor', async (stage) => {
    await started(stage, loose({ web: shell('echo hello; exec sleep 1000') }));
    await holds('the line', () => serviceLog(stage, 'web').length === 1);
    await killSupervisor(stage);
    expect((await said(stage, '--service', 'web')).join()).toContain('hello');
  });

  scenario('a log survives a line of ten megabytes without a newline', async (stage) => {
    await started(
      stage,
      loose({
        web: shell('head -c 10000000 /dev/zero | tr "\\0" x; touch said; exec sleep 1000', {
          logs: { max_bytes: 0 },
        }),
      }),
    );
    await fileComes(stage, 'said');
    const bytes = (): number => statSync(join(stage.data, 'logs/__loose__/web.log')).size;
    await holds('nearly all of it', () => bytes() >= 9_900_000);
    await agree(stage, { web: 'running' });
  });
});

describe('sup logs -f', () => {
  scenario(
    'sup logs -f continues across rotation, restart and the death of the supervisor',
    async (stage) => {
      await started(
        stage,
        project('shop', { ticker: program('ticker.mjs', [], { logs: { max_bytes: 4_000, max_files: 50 } }) }),
      );
      // All lines: a busy machine may begin to follow when there are hundreds.
      const follow = stage.begin(['logs', '-f', '-n', '100000', '--service', 'ticker']);
      const ends = (text: RegExp) => () => text.test(follow.stdout());
      await holds('lines beyond a rotation', ends(/line 150$/m));
      expectDone(await stage.sup('restart', '--service', 'ticker'));
      await holds('lines of the second run', () => follow.stdout().split(/line 1$/m).length === 3);
      await killSupervisor(stage);
      expectDone(await stage.sup('start', '--daemonize'));
      const seen = follow.stdout().length;
      await holds('lines after the death', () => follow.stdout().length > seen + 1_000);
      follow.child.kill('SIGINT');
      const { status, stdout } = await follow.ended;
      expect(status).toBe(0);
      const numbers = stdout
        .split('\n')
        .filter(Boolean)
        .map((line) => Number(/line (\d+)$/.exec(line)?.[1]));
      const breaks = numbers.filter((number, index) => index > 0 && number !== (numbers[index - 1] ?? 0) + 1);
      expect(breaks).toEqual([1]);
      await agree(stage, { 'shop/ticker': 'running' });
    },
  );

  scenario('rotated logs are compressed, and shown like any others', async (stage) => {
    const talk = 'for i in $(seq 1 900); do echo "line $i."; done; touch said; exec sleep 1000';
    const logs = { max_bytes: 20_000, max_files: 20, compress: true, max_age: '1d' };
    await started(stage, loose({ web: { ...shell(talk), logs } }));
    await fileComes(stage, 'said');
    await holds('its last line', async () =>
      (await said(stage, 'web', '-n', '1')).join().endsWith('line 900.'),
    );
    const isRotated = (file: string): boolean => /\.\d+(\.gz)?$/.test(file);
    await holds('all rotated files are compressed', () => {
      const rotated = filesOf(stage, '__loose__', 'web').filter(isRotated);
      return rotated.length > 1 && rotated.every((file) => file.endsWith('.gz'));
    });
    const shown = await said(stage, 'web', '-n', '2000', '--grep', 'line');
    expect(shown).toHaveLength(900);
    expect(shown[0]).toContain('line 1.');
    expectDone(await stage.sup('logs', '--clear', '--yes', 'web'));
    expect(filesOf(stage, '__loose__', 'web').filter(isRotated)).toEqual([]);
  });

  scenario('the logs of all services stay below logs/total_max_bytes', async (stage) => {
    stage.settings('<logs><max_bytes>20000</max_bytes><total_max_bytes>90000</total_max_bytes></logs>');
    const talk = 'for i in $(seq 1 1500); do echo "line $i."; done; touch $SUP_SERVICE.said; exec sleep 1000';
    await started(stage, loose({ web: shell(talk), db: shell(talk) }));
    for (const name of ['web', 'db']) await fileComes(stage, `${name}.said`);
    const bytes = (): number =>
      ['web', 'db']
        .flatMap((name) => filesOf(stage, '__loose__', name))
        .map((file) => statSync(join(stage.data, 'logs/__loose__', file), { throwIfNoEntry: false }))
        // A file may be removed or renamed after it was listed.
        .reduce((sum, found) => sum + (found?.size ?? 0), 0);
    for (const name of ['web', 'db'])
      await holds('its last line', () => serviceLog(stage, name).at(-1)?.endsWith('line 1500.') === true);
    // Both together have more than 130,000 bytes.
    await holds('the limit', () => bytes() <= 90_000);
    await holds('a line in the log', () =>
      /logs\/total_max_bytes\): removed the oldest rotated ones/.test(supervisorLog(stage).join('\n')),
    );
    for (const name of ['web', 'db']) expect(serviceLog(stage, name).at(-1)).toContain('line 1500.');
    expect((await stage.sup('doctor')).stdout).toContain('of at most 0.1 MiB (logs/total_max_bytes)');
    await agree(stage, { web: 'running', db: 'running' });
  });
});
