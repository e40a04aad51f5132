// `npm run record`: records the examples of docs/commands.md and docs/json.md with the built program. A small
// shop runs for some seconds in its own directory. Each command runs there, and its output is written between
// `<!-- example … -->` and `<!-- /example … -->`. With `--check` no file is written, and the exit status is 1
// if a page differs from the program's output in more than numbers and times.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { format } from 'prettier';

const root = fileURLToPath(new URL('..', import.meta.url));
const place = realpathSync(mkdtempSync(join(tmpdir(), 'sup-examples-')));
const shop = join(place, 'shop');
const data = join(place, 'data');
const bin = join(place, 'bin');
const environment = {
  PATH: `${bin}:${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
  HOME: join(place, 'home'),
  LANG: 'C.UTF-8',
  TZ: 'UTC',
  SUP_DATA_DIR: data,
};

/** Returns the text with paths and names that a reader could have, in place of those of this machine. */
const asRead = (text) =>
  text
    .replaceAll(shop, '/srv/shop')
    .replaceAll(data, '/home/me/.local/share/sup')
    .replaceAll(place, '/home/me')
    .replaceAll(root.replace(/\/$/, ''), '/opt/sup')
    .replaceAll(process.execPath, '/usr/bin/node')
    .replaceAll(hostname(), 'shop')
    .replace(/Linux \d[\w.-]*/g, 'Linux 6.18.0');

const WEB = `process.on('SIGHUP', () => console.log('configuration read'));
require('node:http').createServer((_, answer) => answer.end('ok')).listen(process.env.PORT);
console.log('listening on ' + process.env.PORT);
`;

const manifest = ({ stopTimeout }) => `version: 2
projects:
  shop:
    services:
      db: { exec: [sleep, "1000"] }
      web:
        exec: [node, web.js]
        depends_on: [db]
        env: { vars: { PORT: 18080 } }
        stop_timeout: ${stopTimeout}
        reload: { signal: HUP }
        deployment:
          health_check: { url: "http://127.0.0.1:18080/", interval: 200ms }
      mailer:
        command: 'sleep 1.5; echo "error: connection refused: smtp.shop:25"; exit 1'
        backoff: 30s
      report:
        command: echo done
        cron: { expression: "0 3 * * *", timezone: utc }
      pool:
        command: sup spawn --name thumbs --ttl 5m -- sleep 60 && sup spawn --json -- sleep 60 && exec sleep 1000
        spawn: { mode: dynamic }
`;

const FILES = {
  'shop/sup.yaml': manifest({ stopTimeout: '10s' }),
  'shop/web.js': WEB,
  'shop/wrong.yaml': 'version: 2\nservices:\n  web:\n    command: node web.js\n    restart_polcy: always\n',
  'shop/old.yaml': 'version: 2\nproject: shop\nservices:\n  web: { command: node web.js }\n',
  'shop/confined.yaml':
    'version: 3\nprojects:\n  shop:\n    services:\n      db: { exec: [postgres], user: postgres }\n      web: { exec: [node, web.js], user: www-data, isolation: { protect: strict } }\n      mailer: { exec: [node, mailer.js] }\n',
  'shop/ticker.yaml': 'version: 2\nservices:\n  ticker: { command: while sleep 0.4; do echo tick; done }\n',
  'procfile/shop/Procfile': 'web: node web.js\n',
  'procfile/shop/sup.yaml': 'version: 2\nservices:\n  web: { exec: [node, web.js] }\n',
  'k8s/sup.yaml': `version: 2
projects:
  shop:
    services:
      web:
        exec: [node, web.js]
        max_restarts: 5
        deployment: { health_check: { tcp: "8080" } }
`,
  'nomad/sup.yaml': `version: 2
projects:
  shop:
    services:
      report:
        command: echo done
        cron: { expression: "0 3 * * *", timezone: utc, timeout: 10m }
`,
  'many/sup.yaml':
    'version: 2\nprojects:\n  shop:\n    services:\n      web: { exec: [sleep, "1000"], replicas: 3 }\n',
  'bin/sup': `#!/bin/sh\nexec ${process.execPath} ${join(root, 'dist/sup.js')} "$@"\n`,
};

const typed = (line) => {
  const { stdout, stderr, status } = spawnSync('sh', ['-c', line], {
    cwd: shop,
    env: environment,
    encoding: 'utf8',
    timeout: 60_000,
  });
  return { text: `${stdout}${stderr}`, stdout, status };
};

const examples = new Map();

/** Returns the first lines of a long output; long lines are cut. */
const shortened = (text, most) => {
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => (line.length > 140 ? `${line.slice(0, 139)}…` : line).trimEnd());
  return lines.length <= most ? lines : [...lines.slice(0, most), '…'];
};

/** Records the output of a command, and its exit status if that is not 0. */
const record = (name, line, { shown = line, most = 16, text: other } = {}) => {
  const { text, status } = typed(line);
  const head = status === 0 ? `$ ${shown}` : `$ ${shown}  # exit status ${status}`;
  const body = shortened(asRead(other?.(text) ?? text), most);
  const before = examples.get(name);
  examples.set(name, [...(before ?? []), head, ...body.filter((_, row) => row > 0 || body[0] !== '')]);
};

const documents = new Map();

/** Keeps only the first two items of each list, which is enough for an example. */
const brief = (value) => {
  if (Array.isArray(value)) return value.slice(0, 2).map(brief);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, below]) => [key, brief(below)]));
};

/** Records the document that a command prints: the last line of its output that begins with `{`. */
const recordDocument = (line, given) => {
  const { text } = given === undefined ? typed(line) : { text: given };
  const found = text
    .split('\n')
    .filter((one) => one.startsWith('{'))
    .at(-1);
  if (found === undefined) throw new Error(`${line} printed no document: ${text}`);
  const document = brief(JSON.parse(asRead(found)));
  documents.set(document.schema, [line, document]);
};

/** Runs a command and ends it after some time. Resolves to its output. */
const printedBy = async (line, { after, env = environment }) => {
  const child = spawn('sh', ['-c', `exec ${line}`], { cwd: shop, env });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (more) => (text += more));
  child.stderr.setEncoding('utf8').on('data', (more) => (text += more));
  await pause(after);
  child.kill('SIGTERM');
  await new Promise((settle) => child.on('close', settle));
  return text;
};

const write = (file, content) => {
  mkdirSync(join(place, file, '..'), { recursive: true });
  writeFileSync(join(place, file), content, { mode: file.startsWith('bin/') ? 0o755 : 0o644 });
};

const isCheck = process.argv.includes('--check');
const different = [];

/**
 * Returns the words of a block, for the comparison of pages. Numbers, times, repeated lines and progress are
 * removed, because they vary.
 */
const wordsOf = (block) =>
  block
    .replace(/^(.+)\n(?:\1\n)+/gm, '$1\n')
    .replace(/^\S+ starting → running.*$/gm, '')
    .replace(/\d[\d.:TZ-]*( (ms|s|min|h|B|KiB|MiB|%))*/g, '#')
    .replace(/\bnull\b/g, '#')
    .replace(/\s+/g, ' ');

const replaceBlock = (page, name, block) => {
  const path = join(root, 'docs', page);
  const text = readFileSync(path, 'utf8');
  const [open, close] = [`<!-- example ${name} -->`, `<!-- /example ${name} -->`];
  const [from, to] = [text.indexOf(open), text.indexOf(close)];
  if (from < 0 || to < from) throw new Error(`${page} has no ${open} … ${close}`);
  const before = text.slice(from + open.length, to).trim();
  if (wordsOf(before) !== wordsOf(block)) different.push(`docs/${page}: ${name}`);
  if (!isCheck) writeFileSync(path, `${text.slice(0, from + open.length)}\n\n${block}\n\n${text.slice(to)}`);
};

const play = async () => {
  record('validate', 'sup validate wrong.yaml');
  recordDocument('sup validate wrong.yaml --json');
  record('config', 'sup config --origin', { most: 12 });
  recordDocument('sup config --json');
  record('schema', 'sup schema', { most: 4 });
  const exchange = (name, directory, line, most) =>
    record(name, `cd ../${directory} && ${line}`, { shown: line, most });
  exchange('import', 'procfile/shop', 'sup import Procfile');
  exchange('export', 'procfile/shop', 'sup export --to procfile');
  exchange('export-kubernetes', 'k8s', 'sup export --to kubernetes --image shop/web:1', 40);
  exchange('export-nomad', 'nomad', 'sup export --to nomad', 24);
  record('migrate', 'sup migrate old.yaml');
  recordDocument('sup status --json');
  const other = { ...environment, SUP_DATA_DIR: join(place, 'other') };
  const supervise = await printedBy('sup supervise -c ticker.yaml', { after: 1700, env: other });
  examples.set('supervise', ['$ sup supervise -c ticker.yaml', ...shortened(asRead(supervise), 12)]);

  record('start', 'sup start --daemonize');
  await pause(3500);
  record('mcp', 'sup mcp --allow restart');
  record('version', 'sup version');
  recordDocument('sup version --json');
  const secret = (text) => text.replace(/token=[\w-]+/, 'token=R9qNqYV0pZ3oAqv4Yk1fVd2gqz0jvWvD1Wc3m8H5dJk');
  const page = secret(await printedBy('sup dashboard --port 19465', { after: 1500 }));
  examples.set('dashboard', ['$ sup dashboard', ...shortened(page.replace('19465', '9465'), 1)]);
  const opened = secret(await printedBy('sup dashboard --port 19465 --json', { after: 1500 }));
  recordDocument('sup dashboard --json', opened.replace('19465', '9465'));
  record('status', 'sup status');
  recordDocument('sup status --json');
  const [view = ''] = (await printedBy('sup status --watch --json', { after: 1500 })).split('\n');
  recordDocument('sup status --watch --json', view);
  record('why', 'sup why mailer');
  recordDocument('sup why mailer --json');
  record('security', 'sup security --sys -c confined.yaml');
  record('security', 'sup security --sys -c confined.yaml web', { most: 12 });
  recordDocument('sup security --sys -c confined.yaml web --json');
  record('inspect', 'sup inspect web', { most: 30 });
  recordDocument('sup inspect web --json');
  record('wait', 'sup wait web --for healthy --timeout 30s');
  record('wait', 'sup wait mailer --timeout 1s');
  recordDocument('sup wait web --for healthy --json');
  record('logs', 'sup logs web mailer -n 2');
  recordDocument('sup logs web -n 1 --json');
  recordDocument('sup logs --supervisor --grep mailer -n 1 --json');
  recordDocument('sup logs --path web --json');
  record('events', 'sup events web -n 3');
  recordDocument('sup events web -n 1 --json');
  record('metrics', 'sup metrics', { most: 8 });
  recordDocument('sup metrics --json');
  record('exec', "sup exec web -- sh -c 'echo $PORT'");
  record('kill', 'sup kill -s HUP web');
  record('reload', 'sup reload web');
  const { stdout: spawned } = typed('sup logs pool --raw');
  const [first = '', second = ''] = spawned.split('\n');
  examples.set('spawn', ['$ sup spawn --name thumbs --ttl 5m -- sleep 60', asRead(first)]);
  recordDocument('sup spawn --json -- sleep 60', second);
  recordDocument('sup start --name ticker --json -- sleep 1000');
  record('restart', 'sup restart web');
  recordDocument('sup restart web --json');
  write('shop/sup.yaml', manifest({ stopTimeout: '30s' }).replace('PORT: 18080', 'PORT: 18080, MODE: fast'));
  record('plan', 'sup plan');
  recordDocument('sup plan --json');
  record('apply', 'sup apply');
  record('rollback', 'sup rollback web');
  const many = (line) => `cd ../many && SUP_DATA_DIR=${join(place, 'many/data')} ${line}`;
  typed(many('sup start --daemonize'));
  record('scale', many('sup scale web=5'), { shown: 'sup scale web=5' });
  typed(many('sup shutdown'));
  record('stop', 'sup stop web');
  recordDocument('sup stop wbe --json');
  recordDocument('sup logs --clear mailer --yes --json');
  record('upgrade', 'sup upgrade');
  recordDocument('sup upgrade --json');
  record('boot', 'sup boot install --init crontab --dry-run');
  recordDocument('sup boot status --init crontab --json');
  record('doctor', 'sup doctor', { most: 10 });
  recordDocument('sup doctor --json');
  record('completion', 'sup completion bash', { most: 4 });
  record('help', 'sup help wait', { most: 12 });
  record('shutdown', 'sup shutdown');
  record('forget', 'sup forget /srv/shop/sup.yaml'.replace('/srv/shop', shop), {
    shown: 'sup forget /srv/shop/sup.yaml',
  });
  recordDocument('sup purge --dry-run --json');
  record('purge', 'sup purge --yes');
};

try {
  for (const [file, content] of Object.entries(FILES)) write(file, content);
  mkdirSync(join(place, 'home'));
  await play();
  for (const [name, lines] of examples)
    replaceBlock('commands.md', name, ['```', ...lines, '```'].join('\n'));
  for (const [schema, [line, document]] of documents) {
    const json = await format(JSON.stringify(document), { parser: 'json', printWidth: 110 });
    replaceBlock('json.md', schema, [`\`${line}\``, '', '```json', json.trimEnd(), '```'].join('\n'));
  }
  for (const one of different) console.log(`${isCheck ? 'differs from what is printed' : 'changed'}: ${one}`);
  if (isCheck && different.length > 0) process.exitCode = 1;
} finally {
  typed('sup shutdown --force');
  rmSync(place, { recursive: true, force: true });
}
