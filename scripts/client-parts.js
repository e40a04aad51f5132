// Builds the program `sup` in parts (D-131). A part is a text with a table of modules. A command loads the
// part `core`, and another part only if it needs a module of it.
import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { basename } from 'node:path';

const command = (name) => `src/cli/commands/${name}.ts`;

/**
 * Source files whose modules are in a part, with all that they import statically. A module that several
 * parts need is in the first of them. All other modules are in the last part, `rest`.
 */
const PARTS = {
  core: [
    'src/cli/main.ts',
    ...['status', 'logs/logs', 'start/start', 'stop', 'restart', 'wait/wait', 'completion/complete'].map(
      command,
    ),
    'src/sources/store/directory-claim.ts',
    'src/sources/store/directory-hold.ts',
  ],
  settings: ['src/manifest/settings/load-settings.ts'],
  manifest: [command('validate/validate'), 'src/manifest/load.ts'],
  rest: [],
};

/** Paths of the output with all outputs that it imports statically. */
const closure = (outputs, path, seen = new Set()) => {
  if (seen.has(path) || outputs[path] === undefined) return seen;
  seen.add(path);
  for (const { path: next, kind } of outputs[path].imports)
    if (kind === 'import-statement') closure(outputs, next, seen);
  return seen;
};

/** Map from the name of each output file to the part that it is in. */
const partOfEach = (outputs) => {
  const entries = new Map(Object.entries(outputs).map(([path, { entryPoint }]) => [entryPoint, path]));
  const parts = new Map();
  for (const [part, sources] of Object.entries(PARTS))
    for (const source of sources) {
      if (!entries.has(source))
        throw new Error(`${source} is no entry of the program: nothing imports it lazily`);
      for (const path of closure(outputs, entries.get(source)))
        if (!parts.has(basename(path))) parts.set(basename(path), part);
    }
  for (const path of Object.keys(outputs)) if (!parts.has(basename(path))) parts.set(basename(path), 'rest');
  return parts;
};

/** Gives the bundler the outputs of one part; the outputs of other parts are external. */
const onlyPart = (part, { texts, parts, idOf }) => ({
  name: 'part',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^\.\/.*\.js$/ }, ({ path }) => {
      const name = basename(path);
      if (!parts.has(name)) return undefined;
      return parts.get(name) === part
        ? { path: name, namespace: 'output' }
        : { path: idOf(name), external: true };
    });
    onLoad({ filter: /.*/, namespace: 'output' }, ({ path }) => ({
      contents: texts.get(path),
      resolveDir: '.',
    }));
  },
});

/** Resolves to the text of a part, whose modules are evaluated on first use, and to the licences in it. */
const textOfPart = async (part, chunks, options) => {
  const own = [...chunks.parts].filter(([, other]) => other === part).map(([name]) => name);
  const table = own.map((name) => `${JSON.stringify(chunks.idOf(name))}:()=>require("./${name}")`);
  const { outputFiles } = await build({
    ...options,
    stdin: { contents: `module.exports={${table.join(',')}}`, resolveDir: '.' },
    format: 'cjs',
    charset: 'ascii',
    supported: { 'dynamic-import': false },
    write: false,
    legalComments: 'external',
    outfile: `sup.${part}.js`,
    outdir: undefined,
    plugins: [onlyPart(part, chunks)],
  });
  const [text, legal] = ['.js', '.txt'].map(
    (end) => outputFiles.find(({ path }) => path.endsWith(end))?.text,
  );
  return { text, legal };
};

/** Beginning of the function that wraps a part, as src/supervisor/loader/run-parts.ts expects it. */
const BEGIN =
  '(function(require,{file:__filename,directory:__dirname,url:__url,codeCache:__SUP_CODE_CACHE__}){const module={};\n';

/** Resolves to the files of all parts, and a word that identifies this build. */
export const clientParts = async (options) => {
  const { outputFiles, metafile } = await build({
    ...options,
    entryPoints: { main: 'src/cli/main.ts' },
    format: 'esm',
    splitting: true,
    metafile: true,
    write: false,
    legalComments: 'inline',
  });
  const parts = partOfEach(metafile.outputs);
  const texts = new Map(outputFiles.map(({ path, text }) => [basename(path), text]));
  const names = [...parts.keys()];
  const idOf = (name) => `./${parts.get(name)}/${name === 'main.js' ? 'main' : names.indexOf(name)}`;
  const built = new Map();
  for (const part of Object.keys(PARTS))
    built.set(part, await textOfPart(part, { texts, parts, idOf }, { ...options, entryPoints: undefined }));
  const hash = createHash('sha256');
  for (const { text } of built.values()) hash.update(text);
  const id = hash.digest('hex').slice(0, 16);
  const files = [...built].flatMap(([part, { text, legal }]) => [
    [`sup.${part}.js`, `${BEGIN}${text}\nreturn{build:"${id}",modules:module.exports}})`],
    ...(legal === undefined ? [] : [[`sup.${part}.js.LEGAL.txt`, legal]]),
  ]);
  return { id, files };
};
