// Needs the native addon.
// A configuration in JavaScript that attacks its importer (`docs/security.md`, "JavaScript that is evaluated").
import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect } from 'vitest';
import { parse } from 'yaml';
import { asNobody, asRoot } from '../support/privileged.ts';
import { scenario } from '../support/scenario.ts';
import type { Stage } from '../support/stage.ts';
import { errorOf, expectFailed } from '../support/witnesses.ts';

/** Tries each attack, and says `done` or why not, in the environment of an app. */
const ATTACKS = `
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const home = dirname(here);
const results = {};
const attempt = (name, attack) => {
  try { attack(); results[name] = 'done'; } catch (error) { results[name] = error.code ?? error.message; }
};
const run = (...line) => { const { error } = spawnSync(...line); if (error) throw error; };
const meet = (place) => new Promise((resolve) => {
  try {
    const socket = net.connect(place, () => { resolve('done'); socket.destroy(); });
    socket.on('error', ({ code }) => resolve(code));
  } catch (error) { resolve(error.code ?? error.message); }
});

attempt('READ_KEY_OF_HOME', () => fs.readFileSync(join(home, '.ssh/id_rsa')));
attempt('READ_HIDDEN_FILE_BESIDE', () => fs.readFileSync(join(here, '.secret')));
attempt('READ_THROUGH_LINK', () => fs.readFileSync(join(here, 'link/id_rsa')));
attempt('READ_DATA_DIRECTORY', () => fs.readdirSync(join(home, 'd')));
attempt('READ_ENVIRONMENT_OF_PARENT', () => fs.readFileSync('/proc/' + process.ppid + '/environ'));
attempt('WRITE_BESIDE', () => fs.writeFileSync(join(here, 'sub/written'), 'x'));
attempt('WRITE_ELSEWHERE', () => fs.writeFileSync(join(home, 'written'), 'x'));
attempt('CHANGE_FILE', () => fs.appendFileSync(join(here, 'sub/file'), 'x'));
attempt('CHANGE_MODE', () => fs.chmodSync(join(here, 'sub/file'), 0o777));
attempt('CHANGE_TIME', () => fs.utimesSync(join(here, 'sub/file'), 1, 1));
attempt('MAKE_LINK', () => fs.symlinkSync('/', join(here, 'sub/made')));
attempt('TRACE_PARENT', () => fs.openSync('/proc/' + process.ppid + '/mem', 'r+'));
attempt('SIGNAL_PARENT', () => process.kill(process.ppid, 0));
attempt('CHANGE_PRIORITY_OF_PARENT', () => os.setPriority(process.ppid, os.getPriority(process.ppid)));
attempt('RUN_SHELL', () => run('/bin/sh', ['-c', 'true']));
attempt('RUN_NODE', () => run(process.execPath, ['-v']));
results.CONNECT_TCP = await meet({ host: '127.0.0.1', port: Number(fs.readFileSync(join(here, 'port'), 'utf8')) });
results.CONNECT_UNIX = await meet(join(home, 'socket'));

const allowed = {};
results.SECRET = process.env.SECRET ?? 'EMPTY';
allowed.env = fs.readFileSync(join(here, '.env'), 'utf8');
allowed.file = fs.readFileSync(join(here, 'sub/file'), 'utf8');
allowed.processors = os.cpus().length;
allowed.home = process.env.HOME;
if (process.argv[2] !== undefined && process.argv[1].endsWith('attacks.config.mjs')) console.log(JSON.stringify(results));
export default { apps: [{ name: 'results', script: 'app.js', env: { ...results, ALLOWED: allowed } }] };
`;

type Vars = Readonly<Record<string, string>>;

const listening = (server: Server, place: string | number): Promise<void> =>
  new Promise((resolve) => void server.listen(place, resolve));

/** What the attacks want: secrets, and a server on a port and on a socket that all may use. */
const temptations = async (stage: Stage): Promise<readonly [Server, Server]> => {
  mkdirSync(join(stage.root, '.ssh'));
  for (const [file, text] of [
    ['../.ssh/id_rsa', 'secret'],
    ['.secret', 'secret'],
    ['.env', 'FROM=file'],
    ['sub/file', 'readable'],
    ['app.js', ''],
    ['attacks.config.mjs', ATTACKS],
  ] as const)
    stage.write(file, text);
  symlinkSync(join(stage.root, '.ssh'), join(stage.work, 'link'));
  const servers = [createServer(), createServer()] as const;
  await listening(servers[0], 0);
  await listening(servers[1], join(stage.root, 'socket'));
  chmodSync(join(stage.root, 'socket'), 0o777);
  const address = servers[0].address();
  stage.write('port', String(typeof address === 'object' ? address?.port : ''));
  return servers;
};

const importing = async (stage: Stage, file: string): Promise<Vars> => {
  const { stdout } = await stage.begin(['import', file, '--evaluate', '--json'], {
    environment: { SECRET: 'done' },
  }).ended;
  const { manifest } = JSON.parse(stdout) as { manifest: string };
  const { projects } = parse(manifest) as Record<string, Record<string, Record<string, unknown>>>;
  const [services = {}] = Object.values(projects ?? {}).map(
    ({ services }) => services as Record<string, { env: { vars: Vars } }>,
  );
  return services['results']?.env.vars ?? {};
};

const play = async (stage: Stage): Promise<void> => {
  const servers = await temptations(stage);
  let connections = 0;
  for (const server of servers)
    server.on('connection', (socket) => void ((connections += 1), socket.destroy()));
  try {
    const { NODE_APP_INSTANCE, ALLOWED = '', ...attacks } = await importing(stage, 'attacks.config.mjs');
    expect(NODE_APP_INSTANCE).toBe('0');
    expect(JSON.parse(ALLOWED)).toMatchObject({ env: 'FROM=file', file: 'readable', home: stage.root });
    expect(Object.keys(attacks).length).toBe(19);
    expect(Object.entries(attacks).filter(([, result]) => !/^E[A-Z]/.test(result))).toEqual([]);
    expect(connections).toBe(0);
    expect(readdirSync(join(stage.work, 'sub'))).toEqual(['file']);
    expect(existsSync(join(stage.root, 'written'))).toBe(false);
  } finally {
    servers.forEach((server) => server.close());
  }
};

const run = promisify(execFile);

/** Each file, and what the error says of it. */
const FAILING: Readonly<Record<string, readonly [text: string, said: RegExp]>> = {
  'loop.config.js': ['for (;;);', /longer than 10 s/],
  'sleep.config.mjs': ['await new Promise((go) => setTimeout(go, 60_000));', /longer than 10 s/],
  'heap.config.js': [
    'const all = []; for (;;) all.push(new Array(1e5).fill({}));',
    /too much memory, or crashed|longer than 10 s/,
  ],
  'buffers.config.js': [
    'const all = []; for (;;) all.push(Buffer.alloc(1e8, 1));',
    /memory|Array buffer allocation failed|longer than 10 s/,
  ],
  'output.config.js': ['module.exports = { apps: ["x".repeat(5e6)] };', /more than 4 MiB/],
  'exit.config.js': ['process.exit(0);', /ended itself with status 0/],
  'abort.config.js': ['process.abort();', /crashed/],
  'throw.config.js': ['throw new Error("own words");', /own words/],
  'odd.config.js': ['throw { get message() { throw 1; }, toString() { throw 2; } };', /ended itself|gave no/],
  'syntax.config.js': ['module.exports = {', /Unexpected end of input/],
  'cycle.config.js': ['const a = { apps: [] }; a.apps.push(a); module.exports = a;', /circular/],
  'function.config.js': ['module.exports = () => ({ apps: [] });', /nothing that JSON can express/],
  'polluted.config.js': [
    'module.exports = JSON.parse(\'{"apps":[{"script":"a","__proto__":{"polluted":1}}]}\');',
    /__proto__/,
  ],
};

describe('a configuration in JavaScript', () => {
  scenario('the attacks succeed in a Node that is not confined', async (stage) => {
    const servers = await temptations(stage);
    const { stdout } = await run(process.execPath, ['attacks.config.mjs', 'print'], {
      cwd: stage.work,
      env: { SECRET: 'done', HOME: stage.root },
    }).finally(() => servers.forEach((server) => server.close()));
    expect(new Set(Object.values(JSON.parse(stdout) as Vars))).toEqual(new Set(['done']));
  });

  asRoot('no attack of an evaluated file succeeds if root imports it', play);
  asNobody('no attack of an evaluated file succeeds if another user imports it', play);

  scenario('a file that fails, or exceeds a limit, is a typed error', async (stage) => {
    for (const [file, [text]] of Object.entries(FAILING)) stage.write(file, text);
    await Promise.all(
      Object.entries(FAILING).map(async ([file, [, said]]) => {
        const outcome = await stage.begin(['import', file, '--evaluate', '--json'], { limit: 60_000 }).ended;
        expect(outcome.status, file).toBe(1);
        expect(errorOf(outcome), file).toMatchObject({ code: 'ERR0812' });
        expect(errorOf(outcome).message, file).toMatch(said);
      }),
    );
    expect(readdirSync(stage.work).toSorted()).toEqual(Object.keys(FAILING).toSorted());
  });

  scenario('without --evaluate, or where it cannot be confined, nothing is evaluated', async (stage) => {
    stage.write('ecosystem.config.js', 'module.exports = { apps: [{ script: "a.js" }] };');
    writeFileSync(join(stage.work, 'a.js'), '');
    expectFailed(await stage.begin(['import', 'ecosystem.config.js']).ended, 'ERR0806');
    const off = stage.begin(['import', 'ecosystem.config.js', '--evaluate'], {
      environment: { SUP_FFI: 'off' },
    });
    const outcome = await off.ended;
    expectFailed(outcome, 'ERR0806');
    expect(outcome.stderr).toContain('it cannot be confined: SUP_FFI is off');
    expect((await stage.begin(['import', 'ecosystem.config.js', '--evaluate']).ended).status).toBe(0);
  });
});
