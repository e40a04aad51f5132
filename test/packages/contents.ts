// Uses what a package brings besides the supervisor: import and export of each format, the dashboard, the server for
// agents, manual pages, completions and the client library.
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Machine } from './machine.ts';
import { expectThat, type Report } from './report.ts';
import { run } from './shell.ts';

/** Where the parts of an installation are in its machine. The user has a supervisor that runs. */
export interface Installed {
  readonly machine: Machine;
  readonly user: string;
  readonly node: string;
  /** Directory of the manual pages. */
  readonly man: string;
  /** What a program of the user imports, and the directory of the program. */
  readonly library: string;
  readonly directory: string;
}

/** A file of each format, below test/exchange/corpus. */
const FILES: Readonly<Record<string, string>> = {
  compose: 'compose/dev.yaml',
  crontab: 'crontab/user.crontab',
  pm2: 'pm2/api.json',
  'process-compose': 'process-compose/small.yaml',
  procfile: 'procfile/node.Procfile',
  supervisord: 'supervisord/server.conf',
  systemd: 'systemd/node.service',
};

/** The number of processors is read from the machine, and a file beside it is read. */
const ECOSYSTEM = `const { cpus } = require('node:os');
const { name } = require('./package.json');
module.exports = { apps: [{ name, script: 'server.js', instances: cpus().length }] };
`;

/** The formats that the installed program knows, as its completion offers them. */
const formatsOf = ({ machine, user }: Installed, words: string): readonly string[] =>
  machine.run(`sup __complete ${words} ''`, user).trim().split('\n');

const importsAll = (installed: Installed): void => {
  const { machine, user } = installed;
  const place = join(machine.root, 'tmp/formats');
  cpSync('test/exchange/corpus', place, { recursive: true });
  writeFileSync(join(place, 'ecosystem.config.js'), ECOSYSTEM);
  writeFileSync(join(place, 'package.json'), '{"name":"evaluated"}');
  const manifest = (words: string): string => {
    // 1 means that something is lost, which standard error lists.
    const { status, stdout, stderr } = machine.attempt(`sup import ${words}`, user);
    expectThat(status <= 1 && stdout.includes('services:'), `sup import ${words}: ${stdout}${stderr}`);
    return stdout;
  };
  for (const name of formatsOf(installed, 'import --format')) {
    expectThat(FILES[name] !== undefined, `the test has no file for ${name}`);
    manifest(`/tmp/formats/${FILES[name] ?? ''} --format ${name}`);
  }
  const evaluated = manifest('/tmp/formats/ecosystem.config.js --evaluate');
  expectThat(evaluated.includes('evaluated:'), `the evaluated file became: ${evaluated}`);
  machine.run('rm -rf /tmp/formats');
};

const MANIFEST = `version: 3
projects:
  shop:
    services:
      web: { exec: [sleep, '1000'], x-image: shop/web }
`;

const exportsAll = (installed: Installed): void => {
  const { machine, user } = installed;
  writeFileSync(join(machine.root, 'tmp/export.yaml'), MANIFEST);
  for (const name of formatsOf(installed, 'export --to')) {
    const { status, stderr } = machine.attempt(
      `rm -rf ~/out; sup export /tmp/export.yaml --to ${name} --out ~/out --yes`,
      user,
    );
    expectThat(status <= 1, `sup export --to ${name}: ${stderr}`);
    machine.run('grep -r web ~/out && rm -r ~/out', user);
  }
};

/** Loads the page and each file that it names, and prints their sizes. */
const LOADS = `
const url = 'http://127.0.0.1:28440/';
const text = async name => {
  for (let tries = 0; ; tries++)
    try {
      const answer = await fetch(url + name);
      if (!answer.ok) throw new Error(name + ': ' + answer.status);
      return await answer.text();
    } catch (error) {
      if (tries === 100) throw error;
      await new Promise(go => setTimeout(go, 100));
    }
};
const page = await text('');
const names = [...page.matchAll(/(?:href|src)="([^"]+)"/g)].map(found => found[1]);
for (const name of names) console.log(name, (await text(name)).length);
`;

const opensDashboard = ({ machine, user, node }: Installed): void => {
  const loaded = machine.run(
    `sup dashboard --port 28440 >/dev/null 2>&1 & dashboard=$!
    ${node} --input-type=module --eval '${LOADS.replaceAll("'", `'\\''`)}'; status=$?
    kill $dashboard; exit $status`,
    user,
  );
  expectThat(/page\.js \d{5}/.test(loaded) && loaded.includes('page.css '), `the page has loaded: ${loaded}`);
};

const message = (id: number, method: string, params: object): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });

const answersAgents = ({ machine, user }: Installed): void => {
  const clientInfo = { name: 'test', version: '1' };
  const lines = [
    message(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }),
    message(2, 'tools/call', { name: 'status', arguments: {} }),
  ].map((line) => `'${line}'`);
  const said = machine.run(`printf '%s\\n' ${lines.join(' ')} | sup mcp`, user);
  for (const words of ['"serverInfo":{"name":"sup"', 'sup.status/1'])
    expectThat(said.includes(words), `sup mcp does not say ${words}: ${said}`);
};

/** Each command has its page. `man` of this machine shows copies, because it gives up the rights of root. */
const showsPages = ({ machine, user, man }: Installed): void => {
  const copies = mkdtempSync(join(tmpdir(), 'sup-man-'));
  run('cp', ['-rL', join(machine.root, man), join(copies, 'man')]);
  run('chmod', ['-R', 'a+rX', copies]);
  for (const page of ['sup', 'sup-import', 'sup-export', 'sup-dashboard', 'sup-mcp', 'sup-start']) {
    const shown = run('man', ['-M', join(copies, 'man'), page], { env: { ...process.env, MANPAGER: 'cat' } });
    expectThat(shown.includes('SYNOPSIS'), `man ${page}: ${shown}`);
  }
  rmSync(copies, { recursive: true });
  for (const shell of ['bash', 'zsh', 'fish'])
    expectThat(
      machine.run(`sup completion ${shell}`, user).includes('__complete'),
      `sup completion ${shell}`,
    );
};

const PROGRAM = `connect().status().then(({ schema, supervisor }) => console.log(schema, supervisor.version))`;

const importsLibrary = ({ machine, user, node, library, directory }: Installed): void => {
  const path = join(machine.root, directory);
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, 'program.mjs'), `import { connect } from '${library}';\n${PROGRAM};\n`);
  writeFileSync(join(path, 'program.cjs'), `const { connect } = require('${library}');\n${PROGRAM};\n`);
  for (const program of ['program.mjs', 'program.cjs']) {
    const said = machine.run(`${node} ${directory}/${program}`, user);
    expectThat(/^sup\.status\/1 \d/.test(said), `${program} prints: ${said}`);
  }
};

export const usesContents = async (installed: Installed, { step }: Report): Promise<void> => {
  await step('imports a file of each format, one of them evaluated', () => importsAll(installed));
  await step('exports to each format', () => exportsAll(installed));
  await step('the page of sup dashboard loads', () => opensDashboard(installed));
  await step('sup mcp answers an agent', () => answersAgents(installed));
  await step('manual pages and completions are there', () => showsPages(installed));
  await step('a program imports the client library, and another one requires it', () =>
    importsLibrary(installed),
  );
};
