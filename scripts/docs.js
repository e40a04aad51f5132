// `npm run docs`: builds the site in dist/docs from docs/. If the generator (site/package.json) is not
// installed, or is out of date, it is installed first. With `--serve` the site is then served on this
// machine.
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundled } from './bundled.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const site = join(root, 'site');

const run = (program, args) => {
  const { status, error } = spawnSync(program, args, { cwd: site, stdio: 'inherit' });
  if (error !== undefined) throw error;
  if (status !== 0) process.exit(status ?? 1);
};

const changedAt = (path) => statSync(join(site, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;

if (changedAt('node_modules/.package-lock.json') < changedAt('package-lock.json'))
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund']);

const generator = join(site, 'node_modules/vitepress/bin/vitepress.js');
const { checkSite, stage } = await bundled('site/main.ts');
stage(root, join(site, '.pages'), ['CONTRIBUTING.md', 'CHANGELOG.md']);
run(process.execPath, [generator, 'build']);

const { mistakes, pages } = checkSite(join(root, 'dist/docs'));
process.stderr.write(mistakes.map((line) => `${line}\n`).join(''));
if (mistakes.length > 0) process.exit(1);
process.stdout.write(`${pages} pages in dist/docs; npm run docs -- --serve shows them\n`);

if (process.argv.includes('--serve')) run(process.execPath, [generator, 'preview']);
