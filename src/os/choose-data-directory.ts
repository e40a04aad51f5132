// This process's environment without undefined values, and the data directory that it selects
// (`docs/behaviour.md`, "Names and places").
import { resolve } from 'node:path';

export const ownEnvironment = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );

/** The data directory of a supervisor that runs with `--sys`. */
export const SYSTEM_DATA_DIR = '/var/lib/sup';

type Environment = Readonly<Record<string, string>>;

/** True if the variable is set and not empty. */
export const isGiven = (value: string | undefined): value is string => value !== undefined && value !== '';

/**
 * Returns the data directory. The first of these that applies is used: `$SUP_DATA_DIR`, the directory for
 * `--sys`, the directory `sup` in `$XDG_DATA_HOME`, `~/.local/share/sup`.
 */
export const dataDirOf = (environment: Environment, at: { sys: boolean; directory: string }): string => {
  const { SUP_DATA_DIR, XDG_DATA_HOME, HOME } = environment;
  if (isGiven(SUP_DATA_DIR)) return resolve(at.directory, SUP_DATA_DIR);
  if (at.sys) return SYSTEM_DATA_DIR;
  if (isGiven(XDG_DATA_HOME) && XDG_DATA_HOME.startsWith('/')) return resolve(XDG_DATA_HOME, 'sup');
  return resolve(isGiven(HOME) ? HOME : '/', '.local/share/sup');
};

/** Returns the names without spaces around them. Empty names and duplicates are left out. */
export const cleanNames = (names: readonly string[]): readonly string[] => [
  ...new Set(names.map((name) => name.trim()).filter((name) => name !== '')),
];

/** Returns the profiles that `SUP_PROFILES` names, possibly none; `undefined` if the variable is not set. */
export const profilesIn = ({ SUP_PROFILES: names }: Environment): readonly string[] | undefined =>
  names === undefined ? undefined : cleanNames(names.split(','));
