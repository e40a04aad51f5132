// Decides what `sup start` starts: the manifest of `-c`, the manifest of this directory, or all registered
// manifests. Starts no supervisor if there is no valid manifest.
import { realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Client } from '../client/client.ts';
import { inheritedEnvironment, startSupervisor } from './client/ensure-supervisor.ts';
import { connectIfRunning } from '../client/wait-for-supervisor.ts';
import type { Context } from './context.ts';
import { type Parsed, valueOf } from './grammar/parsed-line.ts';
import { readingOf, registeredPath } from '../client/manifests/manifest-paths.ts';
import { askedReading } from './offline/manifest-reading.ts';
import { readRecorded, selectRecorded } from '../client/recorded.ts';
import { requireOwn } from './directory-owner.ts';
import { selectionOf } from './selection.ts';
import { isMissing } from '../os/errno.ts';
import type { Selection } from '../streams/domain/command.ts';
import type { LoadResult, Manifest, Reading } from '../streams/domain/declared/manifest.ts';
import { manifestError } from '../streams/domain/errors/error.ts';
import { messageOf } from '../streams/domain/errors/thrown.ts';
import { profiledIn, select, type Selected } from '../streams/selection/select.ts';
import { failure, Failure } from '../streams/views/errors/command-failure.ts';
import { errorDocument } from '../streams/views/errors/error-text.ts';
import { findDefaultManifest } from '../manifest/file-names.ts';
import { peekRegistry } from '../sources/store/read-saved-state.ts';

const NO_MANIFEST = 'no manifest is registered';

const nothingRegistered = ({ world: { directory } }: Context): Failure => {
  const here = findDefaultManifest(directory);
  const file = here ?? join(directory, 'sup.yaml');
  const detail = `there is no sup.yaml or sup.yml here, and ${NO_MANIFEST}`;
  const document = errorDocument({ code: 'ERR0203', file, detail });
  if (here === undefined) return new Failure({ ...document, hint: 'sup start -c <manifest>' });
  return new Failure({ ...document, path: null, message: NO_MANIFEST, hint: 'sup start' });
};

/** Throws if no manifest is registered: ERR0202 if the selection names something, otherwise ERR0203. */
const refuseUnregistered = (context: Context, selection: Selection): void => {
  const recorded = readRecorded(context);
  if (recorded.manifests.length > 0) return;
  selectRecorded(recorded, selection);
  throw nothingRegistered(context);
};

/** Loads a manifest as the supervisor would. The YAML parser is imported only when needed. */
const loadHere = async (context: Context, path: string, asked: Reading): Promise<LoadResult> => {
  const { world, sys } = context;
  const readings = { [path]: readingOf(path, asked, context) };
  const environment = await inheritedEnvironment(context);
  const { loadRegistered } = await import('../manifest/load.ts');
  return loadRegistered(path, { environment, uid: world.uid, sys, readings });
};

/** Throws an error with all problems of an invalid manifest and the code of the first problem. */
export const refuseBroken = async (context: Context, path: string, asked: Reading): Promise<void> => {
  const { manifest, problems } = await loadHere(context, path, asked);
  if (manifest !== undefined) return;
  throw failure(manifestError(path, problems));
};

/** Applies the selection to the services of this manifest only. */
const selectIn = (manifest: Manifest, selection: Selection): Selected => {
  const { services, path } = manifest;
  const projects = services.map(({ project: id }) => ({ id, manifest: path }));
  return select({ services, projects, manifests: [path], profiled: () => profiledIn(manifest) }, selection);
};

const isUnchosen = (selected: Selected): selected is Extract<Selected, { ok: false }> =>
  !selected.ok && 'unchosen' in selected.error;

/**
 * True if the manifest declares every selected name. Throws ERR0202 if a selected service has profiles and
 * none of them is chosen.
 */
const declares = ({ manifest }: LoadResult, selection: Selection): boolean => {
  if (manifest === undefined) return false;
  const selected = selectIn(manifest, selection);
  if (isUnchosen(selected)) throw failure(selected.error);
  return selected.ok;
};

/**
 * Resolves to a better error for an unknown name, if a manifest declares the service but none of its profiles
 * is chosen. Otherwise resolves to `thrown`.
 */
export const explainUnknown = async (thrown: Failure, parsed: Parsed, context: Context): Promise<Failure> => {
  const here = findDefaultManifest(context.world.directory);
  const paths = new Set(peekRegistry(context.dataDir));
  if (here !== undefined) paths.add(registeredPath(here, context));
  const selection = selectionOf(parsed, context);
  for (const path of paths) {
    const { manifest } = await loadHere(context, path, {});
    const selected = manifest && selectIn(manifest, selection);
    if (selected !== undefined && isUnchosen(selected)) return failure(selected.error);
  }
  return thrown;
};

/** Returns the registered path of the named file. Throws ERR0203 if it is not accessible. */
export const explicit = (config: string, context: Context): string => {
  const file = resolve(context.world.directory, config);
  try {
    realpathSync(file);
  } catch (error) {
    const detail = isMissing(error) ? 'there is no such file' : messageOf(error);
    throw failure({ code: 'ERR0203', file, detail });
  }
  return registeredPath(config, context);
};

/**
 * Resolves to the selection for `sup start`. It is limited to the manifest of `-c`. Without `-c` it is
 * limited to this directory's manifest, if that manifest exists and declares all services and projects that
 * the user named.
 */
export const startSelection = async (parsed: Parsed, context: Context): Promise<Selection> => {
  const { directory } = context.world;
  const selection = selectionOf(parsed, context);
  const config = valueOf(parsed, 'config');
  if (config !== undefined) return { ...selection, manifest: explicit(config, context) };
  const found = findDefaultManifest(directory);
  if (found === undefined || parsed.flags.has('here')) return selection;
  const manifest = registeredPath(found, context);
  const narrowed = selection.projects !== undefined || selection.services !== undefined;
  if (narrowed && !declares(await loadHere(context, manifest, askedReading(parsed, context)), selection))
    return selection;
  return { ...selection, manifest };
};

interface Wanted {
  readonly selection: Selection;
  /** Path of the manifest to read; absent if only registered services are started. */
  readonly manifest?: string | undefined;
  /** The files and profiles to read the manifest with. If a key is absent, the registered value is used. */
  readonly reading?: Reading;
}

export const supervisorFor = async (
  context: Context,
  { selection, manifest, reading = {} }: Wanted,
): Promise<Client> => {
  const running = await connectIfRunning(context.dataDir);
  if (running !== undefined) return running;
  requireOwn(context);
  if (manifest === undefined) refuseUnregistered(context, selection);
  else await refuseBroken(context, manifest, reading);
  return startSupervisor(context);
};
