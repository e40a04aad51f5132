// Decides what `sup start` starts: the manifest of `-c`, this directory's, or all registered ones. Without a
// valid one no supervisor is started.
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Client } from '../client/client.ts';
import { connectIfRunning, inheritedEnvironment, startSupervisor } from './client/ensure-supervisor.ts';
import type { Context } from './context.ts';
import { type Parsed, valueOf } from './grammar/parsed-line.ts';
import { registeredPath } from './manifest-argument.ts';
import { askedReading, readingOf } from './offline/manifest-reading.ts';
import { refuseUnregistered } from './offline/recorded.ts';
import { requireOwn } from './directory-owner.ts';
import { selectionOf } from './selection.ts';
import { isMissing } from '../os/errno.ts';
import type { Selection } from '../streams/domain/command.ts';
import type { LoadResult, Reading } from '../streams/domain/declared/manifest.ts';
import { manifestError } from '../streams/domain/errors/error.ts';
import { messageOf } from '../streams/domain/errors/thrown.ts';
import { profiledIn, select } from '../streams/selection/select.ts';
import { failure } from '../streams/views/errors/command-failure.ts';
import { findDefaultManifest } from '../manifest/file-names.ts';

/** Loads a manifest as the supervisor would. The YAML parser is imported only when needed. */
const loadHere = async (context: Context, path: string, asked: Reading): Promise<LoadResult> => {
  const { world, sys } = context;
  const readings = { [path]: readingOf(path, asked, context) };
  const environment = await inheritedEnvironment(context);
  const { loadRegistered } = await import('../manifest/load.ts');
  return loadRegistered(path, { environment, uid: world.uid, sys, readings });
};

/** Throws an error with all problems of an invalid manifest; the first one determines the code. */
export const refuseBroken = async (context: Context, path: string, asked: Reading): Promise<void> => {
  const { manifest, problems } = await loadHere(context, path, asked);
  if (manifest !== undefined) return;
  throw failure(manifestError(path, problems));
};

/** True if the manifest declares every selected name. Throws ERR0202 if the profiles of one are unchosen. */
const declares = ({ manifest }: LoadResult, selection: Selection): boolean => {
  if (manifest === undefined) return false;
  const { services, path } = manifest;
  const projects = services.map(({ project: id }) => ({ id, manifest: path }));
  const selected = select(
    { services, projects, manifests: [path], profiled: () => profiledIn(manifest) },
    selection,
  );
  if (!selected.ok && 'unchosen' in selected.error) throw failure(selected.error);
  return selected.ok;
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
 * Returns the selection for `sup start`: of this directory's manifest, if there is one, unless the user names
 * services or projects that it does not declare.
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
  /** How it is read, where not as it is registered. */
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
