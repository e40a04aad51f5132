// `npm run mutation [-- file…]`: changes the deciding folders of src/streams in small ways, one at a time,
// and sees whether a test fails. Ends after an hour, with the results until then.
// docs/contributing/test-quality.md has the rest.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { clearTimeout, setTimeout } from 'node:timers';
import { fileURLToPath } from 'node:url';

const LIMIT_MS = Number(process.env.MUTATION_MINUTES ?? 60) * 60_000;
const FOLDERS = ['service', 'gate', 'graph', 'cron', 'hooks', 'rollout'];

const root = fileURLToPath(new URL('..', import.meta.url));
const [config, results] = ['mutation/stryker.json', 'mutation/results.jsonl'];
const files = process.argv.slice(2);

const OPTIONS = {
  mutate: files.length > 0 ? files : FOLDERS.map((folder) => `src/streams/${folder}/**/*.ts`),
  testRunner: 'vitest',
  vitest: { configFile: 'mutation/vitest.config.js', related: false },
  plugins: ['@stryker-mutator/vitest-runner', './mutation/reporter.js'],
  reporters: ['lines', 'clear-text'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  coverageAnalysis: 'perTest',
  // A mutant in code that runs when a module is loaded needs all tests, so an hour would not be enough.
  ignoreStatic: true,
  // A test that only waits for the processor must not count as a mutant that never ends.
  timeoutMS: 60_000,
  timeoutFactor: 4,
  concurrency: Math.max(1, cpus().length - 1),
  tempDirName: 'mutation/.tmp',
  // A copy of the project needs none of these.
  ignorePatterns: ['.git', 'dist', 'coverage', '.tsbuild', '.vm', 'docs/pictures', 'mutation/node_modules'],
  allowEmpty: true,
};

const play = () =>
  new Promise((settle) => {
    const program = 'mutation/node_modules/@stryker-mutator/core/bin/stryker.js';
    const child = spawn(process.execPath, [program, 'run', config], {
      cwd: root,
      stdio: 'inherit',
      detached: true,
      env: { ...process.env, MUTATION_RESULTS: `${root}${results}` },
    });
    const end = () => process.kill(-child.pid, 'SIGKILL');
    const timer = setTimeout(end, LIMIT_MS);
    process.once('SIGINT', end);
    child.once('close', (status) => {
      clearTimeout(timer);
      settle(status ?? 'ended at the time limit');
    });
  });

const DETECTED = new Set(['Killed', 'Timeout']);
const UNDETECTED = new Set(['Survived', 'NoCoverage']);

const percent = (part, whole) => (whole === 0 ? '-' : `${((100 * part) / whole).toFixed(1)} %`);

const summary = () => {
  const lines = existsSync(results) ? readFileSync(results, 'utf8').trim().split('\n') : [];
  const documents = lines.filter(Boolean).map((line) => JSON.parse(line));
  const planned = documents.find((one) => 'planned' in one)?.planned ?? 0;
  const tested = documents.filter(({ status }) => DETECTED.has(status) || UNDETECTED.has(status));
  for (const file of [...new Set(tested.map((one) => one.file))].sort()) {
    const found = tested.filter((one) => one.file === file);
    const detected = found.filter(({ status }) => DETECTED.has(status)).length;
    const place = file.startsWith(root) ? file.slice(root.length) : file;
    console.log(`${percent(detected, found.length).padStart(8)}  ${detected} of ${found.length}  ${place}`);
  }
  const detected = tested.filter(({ status }) => DETECTED.has(status)).length;
  console.log(
    `${percent(detected, tested.length)} of the mutants were detected: ${detected} of ${tested.length}`,
  );
  console.log(`${tested.length} of ${planned} mutants were tested; each of them is in ${results}`);
};

process.chdir(root);
rmSync(results, { force: true });
writeFileSync(config, JSON.stringify(OPTIONS, undefined, 2));
const status = await play();
summary();
process.exitCode = status === 0 || status === 'ended at the time limit' ? 0 : 1;
