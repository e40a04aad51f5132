// The data directory itself: there, ours, and nobody else's to look into (`docs/behaviour.md`, "Names and places").
import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  type Stats,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { troubleWithPlace, troubleWithRootsPlace } from '../../os/files/way.ts';
import { messageOf } from '../../streams/domain/errors/thrown.ts';
import type { SupError } from '../../streams/domain/errors/error.ts';
import { layoutOf } from '../../streams/wire/layout.ts';

export interface Claimant {
  /** `--sys`: what others own, or may write, is not used. */
  readonly sys?: boolean;
}

/**
 * With `--sys`: ERR0701 where a user other than root owns the data directory or could turn the way to it. `written` is the
 * path as it was given: links on it are judged by their owner, wherever they lead. Makes nothing.
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

/** As with manifests, root is no stranger: who is root may do all that a user may. */
const foreignTo = (uid: number, owner: number): string | undefined =>
  owner === uid || owner === ROOT
    ? undefined
    : `it is owned by user ${owner}, and this is user ${uid}; only its owner may start or change anything there: run sup as that user (sudo -u '#${owner}')`;

/**
 * ERR0701 where the data directory is another user's, or closed: who acts in it does what its owner has on record, and what
 * is written there is lost to the owner. That there is none is no reason. Makes nothing.
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

const modeText = (mode: number): string => (mode & 0o7777).toString(8).padStart(4, '0');

/**
 * A directory that others share, or may write, is no place for records that are carried out as they are read. It is refused
 * and not closed: `/tmp`, or a home directory, given by mistake must stay open. As with manifests, a group may write what
 * is root's.
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

/** With `--sys` the way to it says all that the owner and the mode do. */
const refuseFound = (dataDir: string, found: Stats, sys: boolean): void => {
  if (!found.isDirectory()) throw new Error('it is not a directory');
  if (sys) return;
  refuseOwner(found.uid);
  refuseShared(dataDir, found);
};

/** Throws where another user owns it, may write it, or could turn the way to it. */
const refuseUnsafe = (dataDir: string, sys: boolean): void => {
  const found = statSync(dataDir, { throwIfNoEntry: false });
  if (found !== undefined) refuseFound(dataDir, found, sys);
  const trouble = sys ? troubleWithPlace(dataDir) : troubleWithRootsPlace(dataDir);
  if (trouble !== undefined) throw new Error(trouble);
};

/**
 * Makes it where it is missing, for its owner alone. The mode of one that is there is never changed. Answers with ERR0701
 * when it cannot be used.
 */
export const claimDataDirectory = (dataDir: string, { sys = false }: Claimant = {}): SupError | undefined => {
  try {
    refuseUnsafe(dataDir, sys);
    makeDirectory(dataDir);
    // Once more: another process may have made it first.
    refuseUnsafe(dataDir, sys);
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    refuseDirectoryAt(layoutOf(dataDir).socket);
    return undefined;
  } catch (error) {
    const detail = messageOf(error);
    return { code: 'ERR0701', file: dataDir, detail };
  }
};

const kindOf = (path: string): 'directory' | 'other' | undefined => {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  // A link to a directory is as good.
  const isDirectory = found.isSymbolicLink() ? isDirectoryBehind(path) : found.isDirectory();
  return isDirectory ? 'directory' : 'other';
};

const isDirectoryBehind = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

const refuseDirectoryAt = (socket: string): void => {
  if (kindOf(socket) === 'directory') throw new Error(`${socket} is a directory, where the socket is to be`);
};

/** What is in the way of something that has to be a directory, or must not be one; a sentence each. */
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

/** Why nothing can be written there, as on a read-only file system; `undefined`: it can. */
export const unwritable = (dataDir: string): string | undefined => {
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
};

/** With its parents. Not left to the recursive `mkdir`, which never returns where the kernel says ENOENT (below /proc). */
const makeDirectory = (directory: string): void => {
  if (existsSync(directory)) return;
  const parent = dirname(directory);
  if (parent !== directory) makeDirectory(parent);
  // Whatever the umask of the caller takes away.
  const umask = process.umask(0o077);
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    // Somebody who starts at the same moment was first.
    if (!existsSync(directory)) throw error;
  } finally {
    process.umask(umask);
  }
};

/** Removes what lies beside a file under its name and a further ending: `<file>.<anything>`. */
export const sweepBeside = (file: string): void =>
  siblingsOf(file).forEach((path) => rmSync(path, { force: true }));

/** Removes what an interrupted write left of a file: `<file>.<anything>.tmp`. Never throws. */
export const sweepTemporary = (file: string): void => {
  try {
    siblingsOf(file)
      .filter((path) => path.endsWith('.tmp'))
      .forEach((path) => rmSync(path, { force: true }));
  } catch {
    // The directory is gone or closed: then there is nothing to sweep.
  }
};

const siblingsOf = (file: string): readonly string[] => {
  const directory = dirname(file);
  return readdirSync(directory)
    .filter((name) => name.startsWith(`${basename(file)}.`))
    .map((name) => join(directory, name));
};
