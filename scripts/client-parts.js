// Builds the program `sup` in parts (D-131). A part is a text with a table of modules. A command loads the
// part `core`, and another part only if it needs a module of it. A module is evaluated on first use.
import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { lateModule } from './late-module.js';

const sources = (...paths) => paths.map((path) => `src/${path}.ts`);
const commands = (...names) => sources(...names.map((name) => `cli/commands/${name}`));

/**
 * Source files whose modules are in a part, with all that they import statically. A module that is named
 * several times so is where it is named first. All other modules are in the last part, `rest`.
 */
const PARTS = [
  ['core', sources('cli/main', 'cli/grammar/parsed-line')],
  ['status', sources('client/client', 'cli/render/status-table', 'cli/render/page/trouble-page')],
  ['store', sources('client/recorded', 'cli/manifest-argument', 'cli/client/supervisor-process')],
  ['store', sources('sources/store/directory-claim', 'sources/process/guardian')],
  ['status', commands('status')],
  ['work', commands('logs/logs', 'start/start', 'stop', 'restart', 'wait/wait', 'completion/complete')],
  ['settings', sources('manifest/settings/load-settings')],
  ['manifest', [...commands('validate/validate'), ...sources('manifest/load')]],
  ['help', [...commands('help'), ...sources('cli/grammar/help-page')]],
  ['rest', []],
];
const NAMES = new Set(PARTS.map(([part]) => part));

/** The part that the modules of another part use seldom. It is read when they do, not with the other part. */
const LATE = { status: 'store' };

/** Names of the outputs that this output imports statically, with itself, directly or not. */
const closure = (outputs, name, seen = new Set()) => {
  if (seen.has(name)) return seen;
  seen.add(name);
  for (const { path, kind } of outputs.get(name).imports)
    if (kind === 'import-statement' && outputs.has(basename(path))) closure(outputs, basename(path), seen);
  return seen;
};

/** Map from the name of each output to the part that it is in. */
const partOfEach = (outputs) => {
  const entries = new Map([...outputs].map(([name, { entryPoint }]) => [entryPoint, name]));
  const parts = new Map();
  for (const [part, named] of PARTS)
    for (const source of named) {
      if (!entries.has(source)) throw new Error(`${source} is no file of the program`);
      for (const name of closure(outputs, entries.get(source))) if (!parts.has(name)) parts.set(name, part);
    }
  for (const name of outputs.keys()) if (!parts.has(name)) parts.set(name, 'rest');
  return parts;
};

/** Resolves to the outputs by their names. Each source file is one of its own, to be evaluated alone. */
const outputsOf = async (options) => {
  const entry = 'src/cli/main.ts';
  const first = await build({ ...options, entryPoints: { main: entry }, metafile: true });
  const sources = Object.keys(first.metafile.inputs).filter((path) => path.startsWith('src/'));
  const { outputFiles, metafile } = await build({
    ...options,
    entryPoints: Object.fromEntries(
      sources.map((path, at) => [path === entry ? 'main' : `entry${at}`, path]),
    ),
    format: 'esm',
    splitting: true,
    metafile: true,
    legalComments: 'inline',
  });
  const texts = new Map(outputFiles.map(({ path, text }) => [basename(path), text]));
  return new Map(
    Object.entries(metafile.outputs).map(([path, about]) => [
      basename(path),
      { ...about, text: texts.get(basename(path)) },
    ]),
  );
};

/** Beginning of the function that wraps a part, as src/supervisor/loader/run-parts.ts expects it. */
const BEGIN =
  '(function(require,{file:__filename,directory:__dirname,url:__url,codeCache:__SUP_CODE_CACHE__}){' +
  'const __once=make=>{let made;return()=>made??=make()};\n';

/** Resolves to the text of a part, and to the licences in it. */
const textOfPart = async (part, { outputs, parts }) => {
  const names = [...outputs.keys()];
  const idOf = (name) => `./${parts.get(name)}/${name === 'main.js' ? 'main' : names.indexOf(name)}`;
  const outside = new Map();
  const variable = (path) => {
    const name = basename(path);
    if (parts.get(name) === part) return `m${names.indexOf(name)}`;
    const id = outputs.has(name) ? idOf(name) : path;
    if (!outside.has(id)) outside.set(id, `n${outside.size}`);
    return outside.get(id);
  };
  const use = (path) => `${variable(path)}()`;
  // All parts that the module needs are read at once, since they may be replaced later.
  const load = (path) => {
    const others = new Set([...closure(outputs, path)].map((name) => parts.get(name)));
    for (const read of ['core', part, LATE[parts.get(path)]]) others.delete(read);
    return `{${[...others].map((other) => `require("./${other}/");`).join('')}return ${use(path)}}`;
  };
  const own = names.filter((name) => parts.get(name) === part);
  const modules = await Promise.all(own.map((name) => lateModule(outputs.get(name), { use, load })));
  const lines = [
    ...[...outside].map(([id, name]) => `const ${name}=__once(()=>require("${id}"));`),
    ...modules.map(({ text }, at) => `const ${variable(own[at])}=__once(${text});`),
  ];
  const table = own.map((name) => `"${idOf(name)}":${variable(name)}`);
  const legal = [...new Set(modules.map(({ legalComments }) => legalComments).filter(Boolean))];
  return { text: `${lines.join('\n')}\nconst modules={${table.join(',')}};`, legal: legal.join('') };
};

/** Resolves to the files of all parts, and a word that identifies this build. */
export const clientParts = async (options) => {
  const outputs = await outputsOf(options);
  const parts = partOfEach(outputs);
  const built = new Map();
  for (const part of NAMES) built.set(part, await textOfPart(part, { outputs, parts }));
  const hash = createHash('sha256');
  for (const { text } of built.values()) hash.update(text);
  const id = hash.digest('hex').slice(0, 16);
  const files = [...built].flatMap(([part, { text, legal }]) => [
    [`sup.${part}.js`, `${BEGIN}${text}\nreturn{build:"${id}",modules}})`],
    ...(legal === '' ? [] : [[`sup.${part}.js.LEGAL.txt`, legal]]),
  ]);
  return { id, files };
};
