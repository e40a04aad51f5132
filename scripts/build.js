// Builds dist/: the supervisor is one bundle, and the command `sup` consists of parts (D-131). The bundle and
// each part have a V8 code cache. Each program has a small file that runs it (D-095).
import { build, transform } from 'esbuild';
import { chmod, copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { buildAddon } from './addon.js';
import { clientParts, libraryParts } from './client-parts.js';
import { writePage } from './page.js';
import { warmUp } from './warm-up/warm-up.js';

const root = new URL('../', import.meta.url);
const { version } = JSON.parse(await readFile(new URL('package.json', root), 'utf8'));

/**
 * Packages that are evaluated at the first call, because most manifests need none of them. For each package:
 * its export, and the method of the export.
 */
const LATE = { 'cron-parser': ['CronExpressionParser', 'parse'], re2js: ['RE2JS', 'compile'] };

const latePackages = {
  name: 'late packages',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: new RegExp(`^(${Object.keys(LATE).join('|')})$`) }, ({ kind, path }) =>
      kind === 'import-statement' ? { path, namespace: 'late' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'late' }, ({ path }) => {
      const [name, method] = LATE[path];
      const call = `(...given)=>require("${path}").${name}.${method}(...given)`;
      const contents = `export const ${name}={${method}:${call}}`;
      return { contents, resolveDir: fileURLToPath(root) };
    });
  },
};

/**
 * Leaves out unused code of `ws`. The package does not declare that it has no side effects, so the bundler
 * would keep all its code.
 */
const partsOfWs = {
  name: 'parts of ws',
  setup: ({ onResolve, resolve }) => {
    onResolve({ filter: /^ws$|^\.\/lib\// }, async ({ path, pluginData, ...from }) => {
      if (pluginData === partsOfWs || !(path === 'ws' || from.importer.endsWith('/ws/wrapper.mjs')))
        return undefined;
      return { ...(await resolve(path, { ...from, pluginData: partsOfWs })), sideEffects: false };
    });
  },
};

const COMMON = {
  outdir: 'dist',
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20.19',
  external: ['ffi-napi', 'ref-napi', 'bufferutil', 'utf-8-validate'],
  plugins: [latePackages, partsOfWs],
  define: {
    // `ws` would search for two native packages at each start. They are no dependencies of `sup`.
    'process.env.WS_NO_BUFFER_UTIL': '"1"',
    'process.env.WS_NO_UTF_8_VALIDATE': '"1"',
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

const PROGRAM = {
  ...COMMON,
  minifySyntax: true,
  minifyWhitespace: true,
  write: false,
  legalComments: 'linked',
  // The bundler cannot remove unused parts of the CommonJS build of this package, so the ES modules are
  // used.
  alias: { rxjs: fileURLToPath(new URL('node_modules/rxjs/dist/esm/index.js', root)) },
  define: { ...COMMON.define, 'import.meta.url': '__url' },
};

/**
 * Writes the supervisor without the comments of packages, which are a fifth of the size. Line breaks stay,
 * so that stack traces are readable.
 */
const supervisor = async () => {
  const { outputFiles } = await build({
    ...PROGRAM,
    entryPoints: { 'supervisor.bundle': 'src/supervisor/supervisor-main.ts' },
    banner: { js: WRAPPER },
    footer: { js: '})' },
  });
  for (const { path, text } of outputFiles) {
    const code = path.endsWith('.js') ? (await transform(text, { charset: 'ascii' })).code : text;
    await writeFile(path, code);
  }
};

/** Writes the parts of `sup`, and the small program that runs them. */
const client = async () => {
  const { id, files } = await clientParts(PROGRAM);
  for (const [name, text] of files) await writeFile(`dist/${name}`, text);
  await starters('.js', { sup: 'src/supervisor/loader/sup.ts' }, { __SUP_BUILD__: JSON.stringify(id) });
};

/**
 * Builds small programs that start often. The launcher runs once for each privileged service, and the
 * evaluator for `sup import --evaluate`. `resume` is loaded before a new program during an upgrade, and
 * restarts the old program if the new one fails.
 */
const starters = (extension, entryPoints, define = {}) =>
  build({
    ...COMMON,
    entryPoints,
    outExtension: { '.js': extension },
    minify: true,
    define: { ...COMMON.define, ...define },
  });

/** Writes the library that other programs import (D-159). */
const library = async () => {
  for (const [name, text] of await libraryParts(PROGRAM)) await writeFile(`dist/${name}`, text);
};

// The addon is built before the code cache, so that the cache contains the functions that use it.
const withoutAddon = buildAddon();

await rm('dist', { recursive: true, force: true });
await mkdir('dist');
await Promise.all([
  supervisor(),
  client(),
  library(),
  writePage(),
  starters('.js', { supervisor: 'src/supervisor/loader/supervisor.ts' }),
  starters('.cjs', {
    launcher: 'src/sinks/privilege/launcher/launcher-main.ts',
    evaluator: 'src/sinks/privilege/evaluation/evaluator-main.ts',
    resume: 'src/supervisor/upgrade/resume-main.ts',
  }),
]);
await writeFile('dist/package.json', '{"type":"commonjs"}\n');
await copyFile('src/cli/client/sup-guardian.sh', 'dist/sup-guardian');
for (const program of ['dist/sup.js', 'dist/sup-guardian']) await chmod(program, 0o755);
await warmUp('dist');
if (withoutAddon !== undefined) process.stderr.write(`\n${withoutAddon}`);
