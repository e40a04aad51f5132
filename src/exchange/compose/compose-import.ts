// Imports Compose files: each Compose service becomes a service that runs on this machine without a
// container.
import { basename } from 'node:path';
import { childOf, type MapEntry, type Node as TreeNode } from '../../manifest/read/node.ts';
import { parseEnvFile } from '../../streams/env/parse-env-file.ts';
import { failure } from '../../streams/views/errors/command-failure.ts';
import { readSettings } from '../apply-table.ts';
import type { DraftService, ImportDeps, ImportFormat } from '../import-format.ts';
import { cleanName, cleanNames } from '../service-names.ts';
import { plainOf, settingsBelow, sourceLine, unknownKeys } from '../structured-settings.ts';
import { COMPOSE_TITLE, composeTree } from './compose-files.ts';
import type { ComposeService } from './compose-service.ts';
import { COMPOSE_ROWS } from './compose-table.ts';
import { entryOf, isPlainMap } from '../key-table.ts';
import { textOf } from '../source-values.ts';

const mapOf = (root: TreeNode, key: string): readonly MapEntry[] => {
  const value = childOf(root, key)?.value;
  return value?.tag === 'map' ? value.entries : [];
};

const tableOf = (root: TreeNode, key: string): ComposeService['services'] =>
  Object.fromEntries(mapOf(root, key).map((entry) => [entry.key, plainOf(entry.value)]));

/**
 * Top-level keys that are not reported. A key such as `networks` has no meaning without containers, so the
 * loss is reported for each service that uses the key.
 */
const KNOWN = [
  'version',
  'name',
  'services',
  'include',
  'networks',
  'volumes',
  'secrets',
  'configs',
  'models',
];

type Shared = Omit<ComposeService, 'name' | 'own' | 'directory' | 'placed' | 'workingDir' | 'envFile'>;

const contextOf = (
  { key, value }: MapEntry,
  { directory, shared, deps }: { directory: string; shared: Shared; deps: ImportDeps },
): ComposeService => {
  const own = plainOf(value);
  return {
    ...shared,
    name: key,
    own: isPlainMap(own) ? own : {},
    directory,
    placed: (path) => deps.placed(path, directory),
    workingDir: (path) => deps.workingDir(path),
    envFile: (path) => {
      const file = deps.readIfPresent(deps.placed(path, directory));
      return file && parseEnvFile(file.text).vars;
    },
  };
};

/**
 * Adds the directory of the Compose file as `working_dir`. Adds nothing if a row of the table has set this
 * key, or if the directory is the default.
 */
const withDirectory = (draft: DraftService, { directory, workingDir }: ComposeService): DraftService => {
  const { section } = draft;
  const found = workingDir(directory);
  const isSet = section.entries.some(({ path }) => path[0] === 'working_dir');
  if (found === undefined || isSet) return draft;
  const entries = [...section.entries, entryOf(['working_dir'], found)];
  return { ...draft, section: { ...section, entries } };
};

/**
 * Translates one service. Throws ERR0802 if the service is not a map, or if a quote in a command is not
 * closed.
 */
const draftOf = ({ key, keyAt, value }: MapEntry, context: ComposeService): DraftService => {
  const place = sourceLine(keyAt);
  const refuse = (detail: string): never => {
    throw failure({ code: 'ERR0802', format: COMPOSE_TITLE, detail, ...place });
  };
  if (value.tag !== 'map') return refuse(`${key} is not a map`);
  const name = context.names.get(key) ?? key;
  try {
    const settings = settingsBelow(value, COMPOSE_ROWS);
    return { name, place, section: readSettings(settings, COMPOSE_ROWS, { service: name, place, context }) };
  } catch (thrown) {
    if (thrown instanceof RangeError) return refuse(`the command of ${key}: ${thrown.message}`);
    throw thrown;
  }
};

export const compose: ImportFormat = {
  name: 'compose',
  title: COMPOSE_TITLE,
  rows: COMPOSE_ROWS,
  recognises: ({ path, text }) =>
    /^(?:docker-)?compose(?:[.-][\w.-]+)?\.ya?ml$/i.test(basename(path)) ||
    (/^services:\s*(?:#.*)?$/m.test(text) && /^ +(?:image|build|entrypoint): /m.test(text)),
  ofDirectory: (name) => /^(?:docker-)?compose\.ya?ml$/.test(name),
  read: (files, deps) => {
    const { root, losses, directory } = composeTree(files, deps);
    const entries = mapOf(root, 'services');
    const cleaned = cleanNames(entries.map(({ key }) => key));
    const names = new Map(entries.map(({ key }, at) => [key, cleaned[at] ?? key]));
    const shared = { services: tableOf(root, 'services'), secrets: tableOf(root, 'secrets'), names };
    const services = entries.map((entry): DraftService => {
      const context = contextOf(entry, { directory, shared, deps });
      return withDirectory(draftOf(entry, context), context);
    });
    const named = childOf(root, 'name')?.value;
    const project =
      named?.tag === 'scalar' && named.value !== undefined ? cleanName(textOf(named.value)) : undefined;
    return {
      services,
      losses: [...losses, ...unknownKeys(root, KNOWN)],
      ...(project !== undefined && { project }),
    };
  },
};
