// Builds the program `sup` and the client library in parts (D-131). A part is a text with a table of modules.
// A program loads its first part, and another part only if it needs a module of it. A module is evaluated on
// first use.
import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { lateModule } from './late-module.js';

const sources = (...paths) => paths.map((path) => `src/${path}.ts`);
const commands = (...names) => sources(...names.map((name) => `cli/commands/${name}`));

/**
 * The parts in their order, each with source files. A part contains the modules of its files, and all modules
 * that they import statically. A module of several parts is only in the first. All other modules are in the
 * last part, `rest`.
 */
const COMMAND = [
  ['core', sources('cli/main', 'cli/grammar/parsed-line')],
  ['status', sources('client/client', 'cli/render/status-table', 'cli/render/page/trouble-page')],
  ['store', sources('client/recorded', 'cli/manifest-argument', 'cli/client/supervisor-process')],
  ['store', sources('sources/store/data-directory', 'sources/process/guardian')],
  ['status', commands('status')],
  ['work', commands('logs/logs', 'start/start', 'stop', 'restart', 'wait/wait', 'completion/complete')],
  ['settings', sources('manifest/settings/load-settings')],
  ['manifest', [...commands('validate/validate'), ...sources('manifest/load')]],
  ['help', [...commands('help'), ...sources('cli/grammar/help-page')]],
  ['rest', []],
];

/** The parts of the library (D-159). The second part is mainly the reader of manifests. */
const LIBRARY = [
  ['core', sources('client/library')],
  ['rest', []],
];

/**
 * For a part, another part that it seldom uses. The other part is read when it is used, and not together with
 * the first.
 */
const LATE = { status: 'store' };

/**
 * Returns the names of this output and of all outputs that it imports statically, directly or through others.
 */
const closure = (outputs, name, seen = new Set()) => {
  if (seen.has(name)) return seen;
  seen.add(name);
  for (const { path, kind } of outputs.get(name).imports)
    if (kind === 'import-statement' && outputs.has(basename(path))) closure(outputs, basename(path), seen);
  return seen;
};

/** Returns the part of each output, by the name of the output. */
const partOfEach = (outputs, division) => {
  const entries = new Map([...outputs].map(([name, { entryPoint }]) => [entryPoint, name]));
  const parts = new Map();
  for (const [part, named] of division)
    for (const source of named) {
      if (!entries.has(source)) throw new Error(`${source} is no file of the program`);
      for (const name of closure(outputs, entries.get(source))) if (!parts.has(name)) parts.set(name, part);
    }
  for (const name of outputs.keys()) if (!parts.has(name)) parts.set(name, 'rest');
  return parts;
};

/**
 * Resolves to the outputs by their names. Each source file is an output of its own, so that it can be
 * evaluated alone.
 */
const outputsOf = async (options, entry) => {
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
const textOfPart = async (part, { outputs, parts, first }) => {
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
  // All parts that the module needs are read now, because the files may be replaced before they are used.
  const load = (path) => {
    const others = new Set([...closure(outputs, path)].map((name) => parts.get(name)));
    for (const read of [first, part, LATE[parts.get(path)]]) others.delete(read);
    return `{${[...others].map((other) => `require("./${other}/");`).join('')}return ${use(path)}}`;
  };
  const own = names.filter((name) => parts.get(name) === part);
  const transformed = await Promise.all(own.map((name) => lateModule(outputs.get(name))));
  // Called in this order, so that equal sources get equal numbers.
  const modules = transformed.map((make) => make({ use, load }));
  const lines = [
    ...[...outside].map(([id, name]) => `const ${name}=__once(()=>require("${id}"));`),
    ...modules.map(({ text }, at) => `const ${variable(own[at])}=__once(${text});`),
  ];
  const table = own.map((name) => `"${idOf(name)}":${variable(name)}`);
  const legal = [...new Set(modules.map(({ legalComments }) => legalComments).filter(Boolean))];
  return { text: `${lines.join('\n')}\nconst modules={${table.join(',')}};`, legal: legal.join('') };
};

/** Resolves to the texts of all parts by their names, and to an id of this build. */
const built = async (division, entry, options) => {
  const outputs = await outputsOf(options, entry);
  const [[first]] = division;
  const program = { outputs, parts: partOfEach(outputs, division), first };
  const texts = new Map();
  for (const part of new Set(division.map(([name]) => name)))
    texts.set(part, await textOfPart(part, program));
  const hash = createHash('sha256');
  for (const { text } of texts.values()) hash.update(text);
  return { id: hash.digest('hex').slice(0, 16), texts };
};

const end = (id) => `\nreturn{build:"${id}",modules}})`;
const licences = (name, { legal }) => (legal === '' ? [] : [[`${name}.LEGAL.txt`, legal]]);

/** Resolves to the files of the program `sup`, and to an id of this build. */
export const clientParts = async (options) => {
  const { id, texts } = await built(COMMAND, 'src/cli/main.ts', options);
  const files = [...texts].flatMap(([part, one]) => [
    [`sup.${part}.js`, `${BEGIN}${one.text}${end(id)}`],
    ...licences(`sup.${part}.js`, one),
  ]);
  return { id, files };
};

/**
 * Returns the text of `client.js`. It loads parts as `src/supervisor/loader/run-parts.ts` does for the
 * command. Node finds the names of its exports in this text, so the file has no other code.
 */
const loader = (id) => `"use strict";
const {join}=require("node:path");
const texts={core:()=>require("./client.core.js"),rest:()=>require("./client.rest.js")};
const parts={};
const open=name=>{
const file=join(__dirname,\`client.\${name}.js\`);
const refused=()=>Object.assign(new Error(file),{code:"ERR0504"});
const about={file,directory:__dirname,url:require("node:url").pathToFileURL(file).href};
let part;
try{part=texts[name]()(need,about)}catch{throw refused()}
if(part.build!=="${id}")throw refused();
return parts[name]=part.modules;
};
const need=name=>{
const [here,part]=name.split("/");
return here==="."?(parts[part]??open(part))[name]?.():require(name);
};
const {ClientFailure,connect}=need("./core/main");
module.exports={ClientFailure,connect};
`;

/** Resolves to the files of the client library. */
export const libraryParts = async (options) => {
  const { id, texts } = await built(LIBRARY, 'src/client/library.ts', options);
  const files = [...texts].flatMap(([part, one]) => [
    [`client.${part}.js`, `module.exports=${BEGIN}${one.text}${end(id)};\n`],
    ...licences(`client.${part}.js`, one),
  ]);
  return [['client.js', loader(id)], ...files];
};
