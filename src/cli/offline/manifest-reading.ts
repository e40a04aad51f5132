// The files (`-c`) and the profiles (`--profile` or `SUP_PROFILES`) with which a manifest of the command line
// is read (`docs/manifest.md`, "Several files", "Profiles").
import { usageError } from '../grammar/usage-error.ts';
import type { Parsed } from '../grammar/parsed-line.ts';
import type { Context } from '../context.ts';
import { loadPorts, readingOf, registeredPath, resolvedPath } from '../../client/manifests/manifest-paths.ts';
import { remark } from '../print.ts';
import { cleanNames, profilesIn } from '../../os/choose-data-directory.ts';
import { findDefaultManifest, findOverride } from '../../manifest/file-names.ts';
import { peekRegistry } from '../../sources/store/read-saved-state.ts';
import type { Selection } from '../../streams/domain/command.ts';
import type { Reading } from '../../streams/domain/declared/manifest.ts';

/** Returns the override file next to this directory's manifest, if this manifest is not registered yet. */
const overrideHere = ({ dataDir, world: { directory } }: Context): readonly string[] | undefined => {
  const found = findDefaultManifest(directory);
  const override = found === undefined ? undefined : findOverride(found);
  if (found === undefined || override === undefined) return undefined;
  const isKnown = peekRegistry(dataDir).includes(resolvedPath(found, directory));
  return isKnown ? undefined : [resolvedPath(override, directory)];
};

/** Returns the resolved paths of the files. Throws ERR0200 if two of them are the same. */
const distinct = (config: readonly string[], { world: { directory } }: Context): readonly string[] => {
  const files = config.map((file) => resolvedPath(file, directory));
  const twice = files.find((file, at) => files.indexOf(file) < at);
  if (twice === undefined) return files;
  throw usageError(`-c names ${twice} twice`, 'name each file once');
};

/** Returns the files that override the first file; `undefined` if the registered files are to be used. */
const filesIn = (
  { operands, values, command }: Pick<Parsed, 'command' | 'operands' | 'values'>,
  context: Context,
): readonly string[] | undefined => {
  const { config } = values;
  if (config !== undefined) return distinct(config, context).slice(1);
  return command === 'start' || operands.length === 0 ? overrideHere(context) : undefined;
};

/**
 * Returns the files and profiles that the command line or `SUP_PROFILES` names. A manifest that is not
 * registered yet is also read with its override file. If a key is absent, the registered value is used.
 */
export const askedReading = (parsed: Parsed, context: Context): Reading => {
  const { profile } = parsed.values;
  const profiles = profile === undefined ? profilesIn(context.world.environment) : cleanNames(profile);
  if (profile !== undefined && profiles?.length === 0)
    throw usageError('--profile needs a value', '--profile <name>; to choose none: SUP_PROFILES= sup start');
  const files = filesIn(parsed, context);
  return { ...(profiles && { profiles }), ...(files && { files }) };
};

/** Resolves to the profiles in the manifest of these files, or else of this directory. */
export const profilesOffered = async (
  config: readonly string[],
  context: Context,
): Promise<readonly string[]> => {
  const file = config[0] ?? findDefaultManifest(context.world.directory);
  if (file === undefined) return [];
  const path = registeredPath(file, context);
  const files = filesIn(
    { command: 'start', operands: [], values: config.length > 0 ? { config } : {} },
    context,
  );
  const { manifestTree } = await import('../../manifest/load.ts');
  const { profileNames } = await import('../../manifest/check/profiles.ts');
  const readings = { [path]: readingOf(path, { ...(files && { files }) }, context) };
  const root = manifestTree(path, { ...loadPorts(context), readings });
  return root === undefined ? [] : profileNames(root);
};

/** Prints which profiles of an earlier start are used again, and which override file is not read. */
const sayKept = (asked: Reading, manifest: string, context: Context): void => {
  const { profiles = [], files = [] } = readingOf(manifest, {}, context);
  const override = asked.files === undefined ? findOverride(manifest) : undefined;
  if (override !== undefined && !files.includes(override))
    remark(context, `${override} is not read: ${manifest} is registered without it; sup start -c adds it`);
  if (asked.profiles === undefined && profiles.length > 0)
    remark(
      context,
      `profiles as before: ${profiles.join(', ')}; others with --profile <name>, none with SUP_PROFILES= sup start`,
    );
};

/** Returns the files and profiles for `sup start`. Prints which of them are kept from earlier starts. */
export const startReading = (parsed: Parsed, context: Context, { manifest }: Selection): Reading => {
  const asked = askedReading(parsed, context);
  if (manifest !== undefined) {
    sayKept(asked, manifest, context);
    return asked;
  }
  if (parsed.values.profile === undefined) return {};
  throw usageError(
    '--profile is about one manifest, and none is named',
    'sup start -c <file> --profile <name>',
  );
};
