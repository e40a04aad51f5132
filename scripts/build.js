// Builds dist/: each program is one bundle, with its V8 code cache and a small file that runs it (D-095).
import { build, transform } from 'esbuild';
import { chmod, copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { buildAddon } from './addon.js';
import { warmUp } from './warm-up/warm-up.js';

const root = new URL('../', import.meta.url);
const { version } = JSON.parse(await readFile(new URL('package.json', root), 'utf8'));

const COMMON = {
  outdir: 'dist',
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20.19',
  external: ['ffi-napi', 'ref-napi', 'bufferutil', 'utf-8-validate'],
  define: {
    __SUP_VERSION__: JSON.stringify(version),
    'import.meta.url': '__filename',
    'import.meta.filename': '__filename',
    'import.meta.dirname': '__dirname',
  },
  logLevel: 'warning',
};

/** Beginning of the function that wraps a program, as src/supervisor/loader/run-program.ts expects it. */
const WRAPPER = [
  '(function(require,__filename,{codeCache:__SUP_CODE_CACHE__,fingerprint:__SUP_FINGERPRINT__}){const module={exports:{}};',
  'const __dirname=require("node:path").dirname(__filename);',
  'const __url=require("node:url").pathToFileURL(__filename).href;',
].join('');

const PROGRAMS = {
  ...COMMON,
  entryPoints: { 'sup.bundle': 'src/cli/main.ts', 'supervisor.bundle': 'src/supervisor/supervisor-main.ts' },
  minifySyntax: true,
  minifyWhitespace: true,
  write: false,
  legalComments: 'linked',
  // The bundler cannot remove unused parts of the CommonJS build of this package, so the ES modules are used.
  alias: { rxjs: fileURLToPath(new URL('node_modules/rxjs/dist/esm/index.js', root)) },
  define: { ...COMMON.define, 'import.meta.url': '__url' },
  banner: { js: WRAPPER },
  footer: { js: '})' },
};

/**
 * Writes the programs without the comments of packages, which are a fifth of the size. Line breaks stay, so
 * that stack traces are readable.
 */
const programs = async () => {
  const { outputFiles } = await build(PROGRAMS);
  for (const { path, text } of outputFiles) {
    const code = path.endsWith('.js') ? (await transform(text, { charset: 'ascii' })).code : text;
    await writeFile(path, code);
  }
};

/**
 * Builds small programs that start often. The launcher runs once for each privileged service. `resume` is
 * loaded before a new program during an upgrade, and restarts the old program if the new one fails.
 */
const starters = (extension, entryPoints) =>
  build({ ...COMMON, entryPoints, outExtension: { '.js': extension }, minify: true });

// The addon is built before the code cache, so that the cache contains the functions that use it.
const withoutAddon = buildAddon();

await rm('dist', { recursive: true, force: true });
await mkdir('dist');
await Promise.all([
  programs(),
  starters('.js', { sup: 'src/supervisor/loader/sup.ts', supervisor: 'src/supervisor/loader/supervisor.ts' }),
  starters('.cjs', {
    launcher: 'src/sinks/privilege/launcher/launcher-main.ts',
    resume: 'src/supervisor/upgrade/resume-main.ts',
  }),
]);
await writeFile('dist/package.json', '{"type":"commonjs"}\n');
await copyFile('src/cli/client/sup-guardian.sh', 'dist/sup-guardian');
for (const program of ['dist/sup.js', 'dist/sup-guardian']) await chmod(program, 0o755);
await warmUp('dist');
if (withoutAddon !== undefined) process.stderr.write(`\n${withoutAddon}`);
