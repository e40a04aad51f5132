// PM2 itself, from npm: what it makes of the same files, and how the same apps run under it.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseDuration } from '../../../src/manifest/decode/scalars/durations.ts';

const VERSION = '7.0.4';
const SUP = resolve('dist/sup.js');
const run = promisify(execFile);

/** Installs PM2 once for all runs. Resolves to its program; `undefined` if npm cannot reach it. */
const installedPm2 = async (): Promise<string | undefined> => {
  const home = join(tmpdir(), `sup-oracle-pm2-${VERSION}`);
  const bin = join(home, 'node_modules/pm2/bin/pm2');
  if (existsSync(bin)) return bin;
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'package.json'), '{"private":true}');
  const install = ['install', '--no-audit', '--no-fund', '--loglevel=error', `pm2@${VERSION}`];
  return run('npm', install, { cwd: home, timeout: 90_000 }).then(
    () => bin,
    () => undefined,
  );
};

const bin = await installedPm2();
if (bin === undefined)
  process.stderr.write('left out: tests that compare with pm2, which npm cannot install\n');

const root = mkdtempSync(join(tmpdir(), 'pm2o-'));
const shop = join(root, 'shop');
const data = join(root, 'd');
mkdirSync(join(shop, 'api'), { recursive: true });
mkdirSync(data, { mode: 0o700 });
const base = { PATH: process.env['PATH'] ?? '', HOME: root };
const pm2 = (...args: readonly string[]): Promise<{ stdout: string }> =>
  run(process.execPath, [bin ?? '', ...args], {
    cwd: shop,
    env: { ...base, PM2_HOME: join(root, 'pm2'), PM2_DISCRETE_MODE: 'true', CI: '1' },
    maxBuffer: 16 * 1024 * 1024,
  });
const sup = (...args: readonly string[]): Promise<{ stdout: string }> =>
  run(process.execPath, [SUP, ...args], { cwd: shop, env: { ...base, SUP_DATA_DIR: data } }).catch(
    (failed: unknown) => failed as { stdout: string },
  );
afterAll(async () => {
  if (bin !== undefined) await pm2('kill').catch(() => undefined);
  await sup('shutdown');
  rmSync(root, { recursive: true, force: true });
});

const write = (file: string, text: string): void => writeFileSync(join(shop, file), text);
const WAITING = 'setInterval(() => undefined, 1000);';
for (const file of ['app.js', 'api/app.js', 'tool']) write(file, WAITING);
write('run.sh', 'exec sleep 1000\n');
write('run.py', 'import time\ntime.sleep(1000)\n');

/** Files of ten kinds. PM2 mistakes an app with the name of a setting, such as `args`, for that setting. */
const FILES: Readonly<Record<string, string>> = {
  'plain.json': '{"apps":[{"name":"of-plain","script":"app.js"}]}',
  'args.json':
    '{"apps":[{"name":"of-args","script":"./app.js","args":"--a \\"b c\\" d=\'e f\'","node_args":["--no-warnings"]}]}',
  'cwd.config.js':
    'module.exports = { apps: [{ name: "of-cwd", script: "app.js", cwd: __dirname + "/api", env: { PORT: 1, MAP: { a: 1 }, FLAG: true } }] };',
  'cluster.yaml': 'apps:\n  - name: of-cluster\n    script: app.js\n    instances: 2\n    namespace: web\n',
  'forks.yml':
    'apps:\n  - { name: of-forks, script: app.js, instances: 2, exec_mode: fork, increment_var: PORT, env: { PORT: 3000 } }\n',
  'shell.json':
    '[{"name":"of-shell","script":"run.sh","killTimeout":3000,"restartDelay":50,"autorestart":false}]',
  'line.json': '{"apps":{"name":"of-line","script":"sleep 1000"}}',
  'program.config.cjs':
    'exports.apps = [{ name: "of-program", cmd: "sleep", args: ["1000"], max_memory_restart: "300M" }];',
  'python.json': '{"apps":[{"name":"of-python","script":"run.py","interpreter":"python3"}]}',
  'text.json':
    '{ // a comment\n "pm2": [{"name":"of-text","script":"tool","stop_exit_codes":[0,3],"min_uptime":"5s","max_restarts":4}]}',
};

interface Process {
  readonly name: string;
  readonly pm2_env: Readonly<Record<string, unknown>> & {
    readonly env: Readonly<Record<string, unknown>>;
    readonly args?: readonly string[];
    readonly node_args?: readonly string[];
    readonly pm_exec_path: string;
    readonly exec_interpreter: string;
    readonly pm_cwd: string;
  };
}

interface Service {
  readonly exec: readonly string[];
  readonly working_dir?: string;
  readonly env: { readonly vars: Readonly<Record<string, string>> };
  readonly replicas?: number;
  readonly restart_policy: string;
  readonly stop_timeout: string;
  readonly backoff?: string;
  readonly max_memory?: string;
  readonly success_exit_codes?: readonly number[];
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

/** Returns a command line with whole paths of files, and bare names of programs. */
const comparable = (argv: readonly string[], directory: string): readonly string[] =>
  argv.map((word, at) => {
    const path = resolve(directory, word);
    if (isFile(path) && path.startsWith(root)) return path;
    return at === 0 ? basename(word) : word;
  });

type Settings = Process['pm2_env'];

const argvOf = ({
  exec_interpreter,
  node_args = [],
  pm_exec_path,
  args = [],
}: Settings): readonly string[] =>
  exec_interpreter === 'none'
    ? [pm_exec_path, ...args]
    : [exec_interpreter, ...node_args, pm_exec_path, ...args];

/** The values that PM2 uses for settings that an app does not have. */
const DEFAULTS = {
  autorestart: true as boolean,
  kill_timeout: 1600,
  restart_delay: 0,
  max_memory_restart: 0,
};

const theirs = ({ pm2_env: env }: Process) => {
  const { autorestart, kill_timeout, restart_delay, max_memory_restart } = { ...DEFAULTS, ...env };
  const codes = (env['stop_exit_codes'] ?? []) as readonly number[];
  return {
    exec: comparable(argvOf(env), env.pm_cwd),
    directory: env.pm_cwd,
    project: env['namespace'] === 'default' ? 'shop' : env['namespace'],
    isRestarted: autorestart,
    stop: kill_timeout,
    // Without restarts sup has no time between them.
    delay: autorestart ? restart_delay : 0,
    memory: max_memory_restart,
    codes: codes.filter((code) => code !== 0),
  };
};

const ours = (service: Service, project: string) => {
  const directory = resolve(shop, service.working_dir ?? '.');
  return {
    ...{ directory, project, exec: comparable(service.exec, directory) },
    isRestarted: service.restart_policy !== 'never',
    stop: parseDuration(service.stop_timeout),
    delay: parseDuration(service.backoff ?? '0s'),
    memory: Number.parseInt(service.max_memory ?? '0', 10) * 1024 * 1024,
    codes: service.success_exit_codes ?? [],
  };
};

/** Imports a file and returns its only service. */
const importedFrom = async (file: string): Promise<{ name: string; project: string; service: Service }> => {
  const { stdout } = await sup('import', file, '--evaluate', '--format', 'pm2', '-p', 'shop');
  const { projects } = parse(stdout) as { projects: Record<string, { services: Record<string, Service> }> };
  const found = Object.entries(projects).flatMap(([project, { services }]) =>
    Object.entries(services).map(([name, service]) => ({ name, project, service })),
  );
  if (found[0] === undefined) throw new Error(`${file} has no service`);
  return found[0];
};

const compare = async (file: string, processes: readonly Process[]): Promise<void> => {
  const { name, project, service } = await importedFrom(file);
  const same = processes.filter((one) => one.name === name);
  expect(same.length, file).toBe(service.replicas ?? 1);
  const [process] = same;
  if (process === undefined) throw new Error(`PM2 did not start ${name}`);
  expect(ours(service, project), file).toEqual(theirs(process));
  const { env, ...settings } = process.pm2_env;
  const variables = Object.entries(service.env.vars).filter(([, value]) => !value.includes('{instance}'));
  const found = variables.map(([variable]) => [variable, String(env[variable] ?? settings[variable])]);
  expect(found, file).toEqual(variables);
};

describe.skipIf(bin === undefined)('an ecosystem file', () => {
  it('has the same apps for PM2 and for sup import', async () => {
    for (const [file, text] of Object.entries(FILES)) {
      write(file, text);
      await pm2('start', file);
    }
    const processes = JSON.parse((await pm2('jlist')).stdout) as readonly Process[];
    for (const file of Object.keys(FILES)) await compare(file, processes);
    await pm2('delete', 'all');
  });

  it('runs in the same way under PM2 and under sup', async () => {
    write(
      'play.js',
      `const fs = require('node:fs');
const { WHO, COLOUR } = process.env;
const note = (what) => fs.appendFileSync('events', WHO + ' ' + what + '\\n');
process.on('SIGINT', () => { note('SIGINT'); if (WHO !== 'slow') process.exit(0); });
note('starts ' + COLOUR + ' ' + process.argv.slice(2).join());
if (WHO === 'crash') process.exit(1);
${WAITING}`,
    );
    const common = (name: string): object => ({
      name,
      script: 'play.js',
      env: { WHO: name, COLOUR: 'red $5' },
    });
    // The limits are for a slow machine: PM2 counts only runs that are shorter than `min_uptime`.
    const pair = { exec_mode: 'cluster', instances: 2, args: ['a', 'b c'], kill_timeout: 60_000 };
    const apps = [
      { ...common('pair'), ...pair },
      { ...common('crash'), max_restarts: 3, min_uptime: 60_000 },
      { ...common('slow'), kill_timeout: 3000 },
    ];
    write('ecosystem.json', JSON.stringify({ apps }));
    const events = (): string =>
      existsSync(join(shop, 'events')) ? readFileSync(join(shop, 'events'), 'utf8') : '';
    const played = async (
      start: () => Promise<unknown>,
      stop: () => Promise<unknown>,
    ): Promise<readonly string[]> => {
      rmSync(join(shop, 'events'), { force: true });
      await start();
      for (let tries = 0; events().trim().split('\n').length < 6 && tries < 600; tries += 1) await pause(100);
      // A further restart would be seen within this time.
      await pause(1000);
      await stop();
      return events().trim().split('\n').toSorted();
    };
    const underPm2 = await played(
      () => pm2('start', 'ecosystem.json'),
      () => pm2('stop', 'all'),
    );
    await sup('import', 'ecosystem.json', '--out', 'sup.yaml');
    const underSup = await played(
      () => sup('start', '-d'),
      () => sup('stop', '--yes'),
    );
    expect(underPm2).toEqual([
      ...Array.from({ length: 3 }, () => 'crash starts red $5 '),
      ...['pair SIGINT', 'pair SIGINT', 'pair starts red $5 a,b c', 'pair starts red $5 a,b c'],
      ...['slow SIGINT', 'slow starts red $5 '],
    ]);
    expect(underSup).toEqual(underPm2);
  });
});
