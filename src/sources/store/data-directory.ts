// The data directory itself: there, ours, and nobody else's to look into (`docs/behaviour.md`, "Names and places").
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { troubleWithPlace } from '../../os/files/way.ts';
import { messageOf } from '../../streams/domain/errors/thrown.ts';
import type { SupError } from '../../streams/domain/errors/error.ts';
import { layoutOf } from '../../streams/wire/layout.ts';

export interface Claimant {
  /** `--sys`: what others own, or may write, is not used. */
  readonly sys?: boolean;
}

/** With `--sys`: ERR0701 where somebody but root owns the data directory, or may turn the way to it. Makes nothing. */
export const distrustDataDirectory = (dataDir: string): SupError | undefined => {
  try {
    const detail = troubleWithPlace(dataDir);
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

/** Makes it where it is missing and closes it to others. Answers with ERR0701 when it cannot be used. */
export const claimDataDirectory = (dataDir: string, { sys }: Claimant = {}): SupError | undefined => {
  try {
    makeDirectory(dataDir);
    // Only now: before, somebody might have been quicker.
    if (sys === true) refuseStrangers(dataDir);
    const found = statSync(dataDir);
    if (!found.isDirectory()) throw new Error('it is not a directory');
    const { uid, mode } = found;
    refuseOwner(uid);
    if (uid === process.getuid?.() && (mode & 0o077) !== 0) chmodSync(dataDir, 0o700);
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

const refuseStrangers = (dataDir: string): void => {
  const trouble = troubleWithPlace(dataDir);
  if (trouble !== undefined) throw new Error(trouble);
};

/** With its parents. Not left to the recursive `mkdir`, which never returns where the kernel says ENOENT (below /proc). */
const makeDirectory = (directory: string): void => {
  if (existsSync(directory)) return;
  const parent = dirname(directory);
  if (parent !== directory) makeDirectory(parent);
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    // Somebody who starts at the same moment was first.
    if (!existsSync(directory)) throw error;
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
