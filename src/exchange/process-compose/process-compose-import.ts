// Imports files of process-compose: each process becomes a service.
import { basename, join, resolve } from 'node:path';
import { childOf, type MapEntry, type Node as TreeNode } from '../../manifest/read/node.ts';
import { parseEnvFile } from '../../streams/env/parse-env-file.ts';
import { failure } from '../../streams/views/errors/command-failure.ts';
import { readSettings } from '../apply-table.ts';
import { joinedTrees } from '../compose/compose-merge.ts';
import type { DraftService, ImportDeps, ImportFormat } from '../import-format.ts';
import { cleanName, cleanNames } from '../service-names.ts';
import type { SourceText } from '../source-texts.ts';
import { plainOf, readStructured, settingsBelow, sourceLine, unknownKeys } from '../structured-settings.ts';
import { PROCESS_COMPOSE_ROWS } from './process-compose-table.ts';
import { expandedTree, filledTree, type ProcessContext, variablesOf } from './process-compose-values.ts';
import { entryOf, isPlainMap, type Plain, type Setting, type Entry, type Loss } from '../key-table.ts';
import { textOf, isTrue } from '../source-values.ts';

const TITLE = 'a file of process-compose';

const LOST: Readonly<Record<string, string>> = {
  env_cmds: 'no command gives the value of a variable: write it in env.vars or a file',
  extends: 'a single file is read: name both files, the extended one first',
};

/**
 * Top-level keys that are not reported. They are read elsewhere, or are about the terminal and the log of
 * process-compose itself.
 */
const KNOWN = [
  ...['version', 'name', 'processes', 'environment', 'shell', 'vars', 'disable_env_expansion', 'is_strict'],
  ...['is_tui_disabled', 'ordered_shutdown', 'log_location', 'log_level', 'log_length', 'log_configuration'],
  'log_format',
];

const plainAt = (root: TreeNode, key: string): Plain | undefined => {
  const found = childOf(root, key);
  return found && plainOf(found.value);
};

const shellOf = (value: Plain | undefined): ProcessContext['shell'] =>
  isPlainMap(value) ? [textOf(value['shell_command']), textOf(value['shell_argument'])] : ['bash', '-c'];

interface Shared extends Omit<ProcessContext, 'own'> {
  /** The path of `.env` as the manifest needs it; absent if there is none. */
  readonly dotEnv?: string;
  readonly directory: string;
  /** The values that replace `{{.NAME}}` in all processes. */
  readonly vars: Readonly<Record<string, Plain>>;
}

/**
 * Returns the entries that depend on the directory of the file: `env.file` for a file `.env`, and
 * `working_dir`.
 */
const placedEntries = (own: ProcessContext['own'], shared: Shared): readonly Entry[] => {
  const directory = own['working_dir'] === undefined ? shared.workingDir(shared.directory) : undefined;
  const file = isTrue(own['is_dotenv_disabled']) ? undefined : shared.dotEnv;
  return [
    ...(directory === undefined ? [] : [entryOf(['working_dir'], directory)]),
    ...(file === undefined ? [] : [entryOf(['env', 'file'], file)]),
  ];
};

/** The settings in which process-compose evaluates templates. */
const RENDERED = /^(?:command|working_dir|environment|(?:readiness|liveness)_probe)$/;

/** Returns a loss for each setting that still has a template. */
const unfilled = (settings: readonly Setting[], service: string): readonly Loss[] =>
  settings.flatMap(({ key, value, place }) => {
    const [template] = RENDERED.test(key) ? (/\{\{[^{}]*\}\}/.exec(JSON.stringify(value)) ?? []) : [];
    if (template === undefined) return [];
    const message = `${template} stays as it is: only the name of a variable in vars is replaced`;
    return [{ effect: 'lost', key, service, place, message }];
  });

const draftOf = ({ key, keyAt, value: written }: MapEntry, shared: Shared): DraftService => {
  const place = sourceLine(keyAt);
  const vars = plainAt(written, 'vars');
  const value = filledTree(written, { ...shared.vars, ...(isPlainMap(vars) && vars) });
  const own = plainOf(value);
  if (!isPlainMap(own))
    throw failure({ code: 'ERR0802', format: TITLE, detail: `${key} is not a map`, ...place });
  const name = shared.names.get(key) ?? key;
  const settings = settingsBelow(value, PROCESS_COMPOSE_ROWS).filter((each) => !each.key.startsWith('x-'));
  const context = { ...shared, own };
  const section = readSettings(settings, PROCESS_COMPOSE_ROWS, { service: name, place, context });
  return {
    name,
    place,
    section: {
      entries: [...section.entries, ...placedEntries(own, shared)],
      losses: [...section.losses, ...unfilled(settings, name)],
    },
  };
};

/**
 * Returns the merged tree of all files, in which variables are replaced. Later files override earlier ones.
 */
const treeOf = (files: readonly SourceText[], variables: Readonly<Record<string, string>>): TreeNode => {
  const trees = files.map((file) => readStructured(file, { title: TITLE }).root);
  const joined = trees.reduce((base, over) => joinedTrees(base, over, { tagOf: () => undefined, path: '' }));
  return isTrue(plainAt(joined, 'disable_env_expansion')) ? joined : expandedTree(joined, variables);
};

const sharedOf = (root: TreeNode, directory: string, deps: ImportDeps): Shared => {
  const processes = childOf(root, 'processes')?.value;
  const keys = processes?.tag === 'map' ? processes.entries.map(({ key }) => key) : [];
  const cleaned = cleanNames(keys);
  const dotEnv = deps.readIfPresent(join(directory, '.env'));
  const vars = plainAt(root, 'vars');
  return {
    directory,
    names: new Map(keys.map((key, at) => [key, cleaned[at] ?? key])),
    shell: shellOf(plainAt(root, 'shell')),
    shared: variablesOf(plainAt(root, 'environment')),
    vars: isPlainMap(vars) ? vars : {},
    placed: (path) => deps.placed(path, directory),
    workingDir: (path) => deps.workingDir(resolve(directory, path)),
    ...(dotEnv && { dotEnv: deps.placed('.env', directory) }),
  };
};

export const processCompose: ImportFormat = {
  name: 'process-compose',
  title: TITLE,
  rows: PROCESS_COMPOSE_ROWS,
  recognises: ({ path, text }) =>
    /^process-compose(?:[.-][\w.-]+)?\.(?:ya?ml|json)$/i.test(basename(path)) ||
    /^processes:\s*(?:#.*)?$/m.test(text),
  ofDirectory: (name) => /^process-compose\.ya?ml$/.test(name),
  read: (files, deps) => {
    const directory = files[0]?.directory ?? '.';
    const dotEnv = deps.readIfPresent(join(directory, '.env'));
    const root = treeOf(files, { ...(dotEnv && parseEnvFile(dotEnv.text).vars), ...deps.environment });
    const shared = sharedOf(root, directory, deps);
    const processes = childOf(root, 'processes')?.value;
    const entries = processes?.tag === 'map' ? processes.entries : [];
    const name = plainAt(root, 'name');
    return {
      services: entries.map((each) => draftOf(each, shared)),
      losses: unknownKeys(root, KNOWN, LOST),
      ...(typeof name === 'string' && { project: cleanName(name) }),
    };
  },
};
