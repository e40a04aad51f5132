// Converts names, `-c`, `--here` and `-p` to a selection for the supervisor. If a bare name is ambiguous, a
// service of this directory's manifest has priority.
import type { Context } from './context.ts';
import { type Parsed, valueOf } from './grammar/parsed-line.ts';
import { manifestHere, registeredPath } from '../client/manifests/manifest-paths.ts';
import { readRecorded } from '../client/recorded.ts';
import { remark } from './print.ts';
import type { Selection } from '../streams/domain/command.ts';
import { groupOf } from '../streams/domain/ids.ts';
import { isPattern, means } from '../streams/selection/match.ts';
import { peekRegistry } from '../sources/store/read-saved-state.ts';
import { findDefaultManifest, defaultManifests } from '../manifest/file-names.ts';

/** Returns the registered path of this directory's manifest, even if the file no longer exists. */
export const registeredHere = (context: Context): string | undefined => {
  const { dataDir, world } = context;
  const registered = peekRegistry(dataDir);
  const found = findDefaultManifest(world.directory);
  const paths = found === undefined ? defaultManifests(world.directory) : [found];
  return paths.map((path) => registeredPath(path, context)).find((path) => registered.includes(path));
};

const isBare = (name: string): boolean => !isPattern(name) && !name.includes('/');

/** Replaces a bare name by its id if this directory's manifest has exactly one service with this name. */
export const namesHere = (names: readonly string[], context: Context): readonly string[] => {
  const manifest = names.some(isBare) ? registeredHere(context) : undefined;
  if (manifest === undefined) return names;
  const own = readRecorded(context).services.filter(({ spec }) => spec.manifest === manifest);
  return names.map((name) => {
    const named = isBare(name) ? own.filter(({ spec }) => means(name, spec)) : [];
    const ids = new Set(named.map(({ spec: { id } }) => (name.includes('@') ? id : groupOf(id))));
    const [only] = ids;
    return ids.size === 1 && only !== undefined ? only : name;
  });
};

/** Returns the operands and the values of `-s`; both name services. */
const namesIn = ({ operands, values }: Parsed): readonly string[] => [...operands, ...(values.service ?? [])];

/**
 * Returns the path of the manifest of `-c` or `--here`. Throws ERR0203 for `--here` if this directory has no
 * manifest.
 */
const manifestIn = (parsed: Parsed, context: Context): string | undefined => {
  if (parsed.flags.has('here')) return registeredPath(manifestHere(context.world.directory), context);
  const config = valueOf(parsed, 'config');
  return config === undefined ? undefined : registeredPath(config, context);
};

export const selectionOf = (parsed: Parsed, context: Context): Selection => {
  const [names, projects] = [namesIn(parsed), parsed.values.project];
  const manifest = manifestIn(parsed, context);
  const isNarrowed = projects !== undefined || manifest !== undefined;
  const services = isNarrowed ? names : namesHere(names, context);
  return {
    ...(projects === undefined ? {} : { projects }),
    ...(services.length === 0 ? {} : { services }),
    ...(manifest === undefined ? {} : { manifest }),
  };
};

export const isEverything = (selection: Selection): boolean => Object.keys(selection).length === 0;

/** Returns a line that lists all registered manifests, for a command that affects them all. */
const everyManifest = (context: Context, doing: string): string | undefined => {
  const { dataDir, world } = context;
  const registered = peekRegistry(dataDir);
  if (registered.length === 0) return undefined;
  const unknown = registeredHere(context) === undefined ? findDefaultManifest(world.directory) : undefined;
  const hint = unknown === undefined ? '' : `; ${unknown} is not registered: sup start`;
  const manifests = registered.length === 1 ? 'manifest' : 'manifests';
  return `${doing} ${registered.length} registered ${manifests}: ${registered.join(', ')}${hint}`;
};

/**
 * Returns the selection for `apply`, `plan` and `rollback`: by default this directory's registered manifest.
 * If this manifest is not registered, or with `--all`, selects all registered manifests and lists them on
 * standard error.
 */
export const deployedSelection = (parsed: Parsed, context: Context, doing: string): Selection => {
  const selection = selectionOf(parsed, context);
  if (!isEverything(selection)) return selection;
  const manifest = parsed.flags.has('all') ? undefined : registeredHere(context);
  if (manifest !== undefined) return { manifest };
  const text = everyManifest(context, doing);
  if (text !== undefined) remark(context, text);
  return selection;
};
