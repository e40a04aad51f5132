// The environment of this process in the form that every port takes, and the data directory that it names
// (`docs/behaviour.md`, "Names and places").
import { resolve } from 'node:path';

export const ownEnvironment = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );

/** The data directory of the privileged supervisor. */
export const SYSTEM_DATA_DIR = '/var/lib/sup';

type Environment = Readonly<Record<string, string>>;

const given = (value: string | undefined): value is string => value !== undefined && value !== '';

/** `$SUP_DATA_DIR`, else `$XDG_DATA_HOME/sup`, else `~/.local/share/sup`; with `--sys` `/var/lib/sup`. */
export const dataDirOf = (environment: Environment, at: { sys: boolean; directory: string }): string => {
  const { SUP_DATA_DIR, XDG_DATA_HOME, HOME } = environment;
  if (given(SUP_DATA_DIR)) return resolve(at.directory, SUP_DATA_DIR);
  if (at.sys) return SYSTEM_DATA_DIR;
  if (given(XDG_DATA_HOME) && XDG_DATA_HOME.startsWith('/')) return resolve(XDG_DATA_HOME, 'sup');
  return resolve(given(HOME) ? HOME : '/', '.local/share/sup');
};
