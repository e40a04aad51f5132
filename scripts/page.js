// Builds the page of `sup dashboard`: one script, one style sheet, and the licences of what is inside.
import { build } from 'esbuild';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const root = new URL('../', import.meta.url);
const place = (path) => fileURLToPath(new URL(path, root));

const PAGE = 'src/dashboard/page';
const PACKAGE = /^node_modules\/((?:@[^/]+\/)?[^/]+)\//;

const licenceOf = async (name) => {
  for (const file of ['LICENSE', 'LICENSE.txt']) {
    const text = await readFile(place(`node_modules/${name}/${file}`), 'utf8').catch(() => undefined);
    if (text !== undefined) return `${name}\n\n${text.trim()}\n`;
  }
  throw new Error(`the package ${name} has no licence file`);
};

/** Returns the text of each file of the page, by name. */
export const pageFiles = async () => {
  const { outputFiles, metafile } = await build({
    absWorkingDir: place('.'),
    entryPoints: { page: `${PAGE}/page.tsx`, style: `${PAGE}/page.css` },
    outdir: 'dist/dashboard',
    bundle: true,
    write: false,
    metafile: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    // Uses the ES modules of RxJS, because the bundler can leave out unused parts of them.
    conditions: ['es2015'],
    target: ['chrome123', 'firefox120', 'safari17.5'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    logLevel: 'warning',
  });
  const packages = Object.keys(metafile.inputs).flatMap((input) => PACKAGE.exec(input)?.[1] ?? []);
  const licences = await Promise.all([...new Set(packages)].sort().map(licenceOf));
  const textOf = (ending) => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? '';
  return new Map([
    ['index.html', await readFile(place(`${PAGE}/index.html`), 'utf8')],
    ['icon.svg', await readFile(place(`${PAGE}/icon.svg`), 'utf8')],
    ['page.js', textOf('.js')],
    ['page.css', textOf('.css')],
    ['licences.txt', licences.join('\n---\n\n')],
  ]);
};

/** Writes the page to `dist/dashboard`. */
export const writePage = async () => {
  await mkdir(place('dist/dashboard'), { recursive: true });
  for (const [name, text] of await pageFiles()) await writeFile(place(`dist/dashboard/${name}`), text);
};
