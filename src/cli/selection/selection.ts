// The services that a command selects: names, `-c`, `--here` and `-p`, as the supervisor understands them.
import type { Selection } from '../../streams/domain/command.ts';
import { findDefaultManifest } from '../../manifest/file-names.ts';
import { peekRegistry } from '../../sources/store/read-store.ts';
import type { Context } from '../context.ts';
import { valueOf, type Parsed } from '../grammar/parsed.ts';
import { remark } from '../print.ts';
import { namesHere, registeredHere } from './here.ts';
import { manifestHere } from './manifest-argument.ts';
import { registeredPath } from './registered-path.ts';

/** Operands and the values of `-s`, which mean the same. */
const namesIn = ({ operands, values }: Parsed): readonly string[] => [...operands, ...(values.service ?? [])];

/** The manifest that `-c` or `--here` names. Throws ERR0203 if there is none here. */
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

/** The line that lists all registered manifests before a command for all of them. */
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
 * For `apply` and `plan`: without a selection, this directory's manifest if it is registered. Otherwise, and
 * with `--all`, every registered one, listed on standard error.
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
