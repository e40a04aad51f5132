// Checks that the data directory exists, is ours, and is private (`docs/behaviour.md`, "Names and places").
import { accessSync, constants, lstatSync, readdirSync, rmSync, statSync, type Stats } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isDirectory, makeDirectory } from '../../os/files/directories.ts';
import { modeText, troubleWithPlace, troubleWithRootsPlace } from '../../os/files/trusted-directories.ts';
import { messageOf } from '../../streams/domain/errors/thrown.ts';
import type { SupError } from '../../streams/domain/errors/error.ts';
import { layoutOf } from '../../streams/wire/layout.ts';

export interface Claimant {
  /** True for `--sys`: the directory is then refused if another user owns it or may write to it. */
  readonly sys?: boolean;
}

/**
 * For `--sys`: returns ERR0701 if a user other than root could redirect the path. `written`: the path as the
 * user gave it, before symbolic links were resolved. Creates nothing.
 */
export const distrustDataDirectory = (dataDir: string, written = dataDir): SupError | undefined => {
  try {
    const detail = troubleWithPlace(written) ?? troubleWithPlace(dataDir);
    return detail === undefined ? undefined : { code: 'ERR0701', file: dataDir, detail };
  } catch (error) {
    return { code: 'ERR0701', file: dataDir, detail: messageOf(error) };
  }
};

const ROOT = 0;

/** Returns why user `uid` must not use a directory of `owner`. A directory of root may be used. */
const foreignTo = (uid: number, owner: number): string | undefined =>
  owner === uid || owner === ROOT
    ? undefined
    : `it is owned by user ${owner}, and this is user ${uid}; only its owner may start or change anything there: run sup as that user (sudo -u '#${owner}')`;

/**
 * Returns ERR0701 if the data directory cannot be read, or if it belongs to another user than root and this
 * user: a command would execute what the records of that other user say. A missing directory is accepted.
 * Creates nothing.
 */
export const refuseForeign = (dataDir: string): SupError | undefined => {
  try {
    const found = statSync(dataDir, { throwIfNoEntry: false });
    if (found === undefined) return undefined;
    refuseOwner(found.uid);
    accessSync(dataDir, constants.R_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    return { code: 'ERR0701', file: dataDir, detail: messageOf(error) };
  }
};

const refuseOwner = (owner: number): void => {
  const foreign = foreignTo(process.getuid?.() ?? ROOT, owner);
  if (foreign !== undefined) throw new Error(foreign);
};

const STICKY = 0o1000;

/**
 * Throws if other users may write to the directory, because commands in its records are executed. Does not
 * change its mode, because the user may have named a shared directory, such as `/tmp`, by mistake. If root
 * owns the directory and this process has another user, the group of the directory may write to it.
 */
const refuseShared = (dataDir: string, { uid, mode }: Stats): void => {
  if ((mode & STICKY) !== 0)
    throw new Error(
      `its mode is ${modeText(mode)}: a sticky directory is shared by many users; name one that is only for sup, such as SUP_DATA_DIR=${join(dataDir, 'sup')}`,
    );
  const others = uid === process.getuid?.() ? 0o022 : 0o002;
  if ((mode & others) !== 0)
    throw new Error(
      `its mode is ${modeText(mode)}: other users may write it; name another one with SUP_DATA_DIR, or chmod 700 ${dataDir} if it is only for sup`,
    );
};

/**
 * Throws if the directory cannot be used. With `sys`, the owner and mode are checked together with the path
 * (`refuseUnsafe`).
 */
const refuseFound = (dataDir: string, found: Stats, sys: boolean): void => {
  if (!found.isDirectory()) throw new Error('it is not a directory');
  if (sys) return;
  refuseOwner(found.uid);
  refuseShared(dataDir, found);
};

/** Throws if another user owns the directory, may write to it, or could redirect its path. */
const refuseUnsafe = (dataDir: string, sys: boolean): void => {
  const found = statSync(dataDir, { throwIfNoEntry: false });
  if (found !== undefined) refuseFound(dataDir, found, sys);
  const trouble = sys ? troubleWithPlace(dataDir) : troubleWithRootsPlace(dataDir);
  if (trouble !== undefined) throw new Error(trouble);
};

/**
 * Creates the directory and its missing parents, all with access for this user only, whatever the umask is.
 */
const makePrivate = (directory: string): void => {
  const umask = process.umask(0o077);
  try {
    makeDirectory(directory, 0o700);
  } finally {
    process.umask(umask);
  }
};

/** Creates the directory with mode 0700 if it is missing. Returns ERR0701 if it cannot be used. */
export const claimDataDirectory = (dataDir: string, { sys = false }: Claimant = {}): SupError | undefined => {
  try {
    refuseUnsafe(dataDir, sys);
    makePrivate(dataDir);
    // Another process may have created the directory in between, so check again.
    refuseUnsafe(dataDir, sys);
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    refuseDirectoryAt(layoutOf(dataDir).socket);
    return undefined;
  } catch (error) {
    const detail = messageOf(error);
    return { code: 'ERR0701', file: dataDir, detail };
  }
};

/**
 * Returns the kind of the file at the path; `undefined` if there is no file. A link to a directory counts as
 * a directory.
 */
const kindOf = (path: string): 'directory' | 'other' | undefined => {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
  return isDirectory(path) ? 'directory' : 'other';
};

const refuseDirectoryAt = (socket: string): void => {
  if (kindOf(socket) === 'directory') throw new Error(`${socket} is a directory, where the socket is to be`);
};

/** Returns a sentence for each path that is a directory instead of a file, or the reverse. */
export const misplacedIn = (dataDir: string): readonly string[] => {
  const { socket, lock, registry, projects, supervisorLogs } = layoutOf(dataDir);
  return [
    ...[socket, lock, registry]
      .filter((path) => kindOf(path) === 'directory')
      .map((path) => `${path} is a directory`),
    ...[projects, supervisorLogs]
      .filter((path) => kindOf(path) === 'other')
      .map((path) => `${path} is no directory`),
  ];
};

/** Returns why nothing can be written to the directory, such as a read-only file system. */
export const unwritable = (dataDir: string): string | undefined => {
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
};

/** Removes the files `<file>.<anything>` in the directory of `file`. */
export const sweepBeside = (file: string): void =>
  siblingsOf(file).forEach((path) => rmSync(path, { force: true }));

/** Removes the files that interrupted writes of a file have left: `<file>.<anything>.tmp`. Never throws. */
export const sweepTemporary = (file: string): void => {
  try {
    siblingsOf(file)
      .filter((path) => path.endsWith('.tmp'))
      .forEach((path) => rmSync(path, { force: true }));
  } catch {
    // The directory is missing or unreadable, so there is nothing to remove.
  }
};

const siblingsOf = (file: string): readonly string[] => {
  const directory = dirname(file);
  return readdirSync(directory)
    .filter((name) => name.startsWith(`${basename(file)}.`))
    .map((name) => join(directory, name));
};
