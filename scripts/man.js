// `npm run man`: makes the manual pages in dist/man from docs/ and the option tables of the program
// (scripts/man). If mandoc is installed, it checks them.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundled } from './bundled.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const target = join(root, 'dist/man');

/** Returns the date of the last change of the sources, so that equal sources result in equal pages. */
const dateOfSources = () => {
  if (process.env.SOURCE_DATE_EPOCH) return new Date(Number(process.env.SOURCE_DATE_EPOCH) * 1e3);
  const { stdout } = spawnSync('git', ['log', '-1', '--format=%ct', '--', 'docs', 'src/cli/grammar'], {
    cwd: root,
    encoding: 'utf8',
  });
  return stdout ? new Date(Number(stdout) * 1e3) : new Date();
};

/**
 * True for a message of mandoc that is a real mistake. A reference to a page that is built here is no
 * mistake, although the page is not installed.
 */
const isMistake = (line) => {
  const [, name, section] = /referenced manual not found: Xr (\S+) (\d)/.exec(line) ?? [];
  return name === undefined || !existsSync(join(target, `man${section}/${name}.${section}`));
};

/** Returns the messages of mandoc; `undefined` if it is not installed. */
const mistakesIn = (files) => {
  const { error, stdout } = spawnSync('mandoc', ['-T', 'lint', ...files], { cwd: root, encoding: 'utf8' });
  return error === undefined
    ? stdout.split('\n').filter((line) => line !== '' && isMistake(line))
    : undefined;
};

const text = (path) => readFile(join(root, path), 'utf8');
const { manualPages } = await bundled('scripts/man/pages.ts');
const pages = manualPages(
  {
    commands: await text('docs/commands.md'),
    manifest: await text('docs/manifest.md'),
    behaviour: await text('docs/behaviour.md'),
  },
  dateOfSources(),
);

await rm(target, { recursive: true, force: true });
const files = [...pages.keys()].map((place) => join(target, place));
for (const [place, page] of pages) {
  await mkdir(dirname(join(target, place)), { recursive: true });
  await writeFile(join(target, place), page);
}
process.stdout.write(`${pages.size} manual pages: man -M dist/man sup\n`);

const mistakes = mistakesIn(files);
if (mistakes === undefined) process.stdout.write('mandoc is not installed: the pages are not checked\n');
else if (mistakes.length > 0) {
  process.stderr.write(`${mistakes.join('\n')}\n`);
  process.exitCode = 1;
}
