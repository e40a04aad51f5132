// Follows the path to a file as the kernel does, through every directory and link, and checks that only root
// can redirect the path. `--sys` requires this, because a file of root is no safer than the directories above
// it.
// Rules: `docs/behaviour.md`, "Trust".
import { lstatSync, readlinkSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isForbidden, isMissing } from '../errno.ts';
import { makeDirectoryAsync } from './directories.ts';
import { ownNamespace } from '../proc/confinement.ts';
import { messageOf } from '../../streams/domain/errors/thrown.ts';

const ROOT = 0;
const OTHERS_MAY_WRITE = 0o022;
const OTHERS_ONLY = 0o002;
/** Mode bit of a directory in which every user may create files but remove only their own. */
const STICKY = 0o1000;
/** Maximum number of links in one path, as in the kernel. */
const MOST_LINKS = 40;

/** The owner, mode and type of the file, directory or link at a path. Links are not followed. */
export interface PathEntry {
  readonly uid: number;
  /** The group of the entry. It is checked only if another user besides root is trusted. */
  readonly gid?: number;
  readonly mode: number;
  readonly directory: boolean;
  /** The target of a symbolic link, unresolved. Absent if the entry is not a link. */
  readonly target?: string;
}

/** Reads the entry at a path. Throws the kernel's error, such as ENOENT if nothing is there. */
export type PathLook = (path: string) => PathEntry;

const lookAt: PathLook = (path) => {
  const stats = lstatSync(path);
  const { uid, gid, mode } = stats;
  const found = { uid, gid, mode, directory: stats.isDirectory() };
  return stats.isSymbolicLink() ? { ...found, target: readlinkSync(path) } : found;
};

/** Returns the mode in four octal digits, including the set-user-ID, set-group-ID and sticky bits. */
export const modeText = (mode: number): string => (mode & 0o7777).toString(8).padStart(4, '0');

/**
 * The condition under which only root may be able to redirect a path: the supervisor runs with `--sys`, or
 * this process runs as root. Messages contain this text.
 */
type When = 'with --sys' | 'for root';

/** A user that is trusted like root to own and change a path, and the primary group of that user. */
export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

interface Walk {
  readonly look: PathLook;
  readonly when: When | `for user ${number}`;
  readonly owner?: Owner;
}

const isForeign = ({ uid }: PathEntry, { owner }: Walk): boolean => uid !== ROOT && uid !== owner?.uid;

/**
 * True if users other than root and `owner` may write to the entry. If `owner` is given, write access of the
 * group of `owner` and of the group of root is ignored.
 */
const isWritable = ({ gid, mode }: PathEntry, { owner }: Walk): boolean => {
  const isOwnGroup = owner !== undefined && (gid === owner.gid || gid === ROOT);
  return (mode & (isOwnGroup ? OTHERS_ONLY : OTHERS_MAY_WRITE)) !== 0;
};

const ownedText = ({ uid }: PathEntry, { when, owner }: Walk): string =>
  `is owned by user ${uid}; ${when} it must be owned by root${owner === undefined ? '' : ' or that user'}`;

const writableText = ({ mode }: PathEntry, { when, owner }: Walk): string =>
  `has mode ${modeText(mode)}; ${when} neither ${owner === undefined ? '' : 'another '}group nor others may write it`;

const troubleWith = (path: string, entry: PathEntry, by: Walk): string | undefined => {
  const { mode, directory, target } = entry;
  const what = target !== undefined ? 'the link' : 'the directory';
  if (isForeign(entry, by)) return `${what} ${path} on the way to it ${ownedText(entry, by)}`;
  const open = isWritable(entry, by) && (mode & STICKY) === 0;
  return directory && open ? `the directory ${path} on the way to it ${writableText(entry, by)}` : undefined;
};

interface End {
  readonly trouble?: string;
  /** The entry that the path leads to. Absent if there is a `trouble`. */
  readonly at?: PathEntry;
}

const walk = (path: string, by: Walk, links = 0): End => {
  const parts = path.split('/').filter((part) => part !== '');
  for (let count = 0; ; count += 1) {
    const at = `/${parts.slice(0, count).join('/')}`;
    const found = by.look(at);
    if (count === parts.length && found.target === undefined) return { at: found };
    const trouble = troubleWith(at, found, by);
    if (trouble !== undefined) return { trouble };
    if (found.target === undefined) continue;
    if (links === MOST_LINKS) return { trouble: 'there are too many links on the way to it' };
    return walk(resolve(dirname(at), found.target, ...parts.slice(count)), by, links + 1);
  }
};

/** Returns a message if a user other than root can change a directory or link on the way to `path`. */
export const troubleOnTheWay = (path: string, look: PathLook = lookAt): string | undefined =>
  walk(path, { look, when: 'with --sys' }).trouble;

const troubleAtItsEnd = (entry: PathEntry, by: Walk): string | undefined => {
  if (isForeign(entry, by)) return `it ${ownedText(entry, by)}`;
  return isWritable(entry, by) ? `it ${writableText(entry, by)}` : undefined;
};

/** Returns the problem with the nearest existing directory at or above `parent`, or with the way to it. */
const troubleAbove = (parent: string, by: Walk): string | undefined => {
  try {
    const { trouble, at } = walk(parent, by);
    return trouble ?? (at && troubleWith(parent, at, by));
  } catch (error) {
    if (!isMissing(error) || parent === '/') throw error;
    return troubleAbove(dirname(parent), by);
  }
};

const troubleWithDirectory = (directory: string, by: Walk): string | undefined => {
  try {
    const { trouble, at } = walk(directory, by);
    return trouble ?? (at && troubleAtItsEnd(at, by));
  } catch (error) {
    if (!isMissing(error)) throw error;
    return troubleAbove(dirname(directory), by);
  }
};

/**
 * Returns why a directory for the data of root is unsafe with `--sys`: other users may write to it (even if
 * it is sticky) or may redirect its path. If the directory is missing, checks the way to it. Throws the
 * kernel's error.
 */
export const troubleWithPlace = (directory: string, look: PathLook = lookAt): string | undefined =>
  troubleWithDirectory(directory, { look, when: 'with --sys' });

/**
 * Returns why a user other than root (and other than `owner` if given) could change the file or directory, or
 * why that is unknown. A path that `owner` cannot reach is no problem, because `owner` cannot use it.
 */
export const troubleAt = (path: string, owner?: Owner): string | undefined => {
  try {
    return owner === undefined
      ? troubleWithPlace(path)
      : troubleWithDirectory(path, { look: lookAt, when: `for user ${owner.uid}`, owner });
  } catch (error) {
    return owner !== undefined && isForbidden(error) ? undefined : messageOf(error);
  }
};

/**
 * True if this process runs as root of the machine; `undefined` until this was checked. In a user namespace,
 * the machine's root appears as the user `nobody`.
 */
let machineRoot: boolean | undefined;
const isMachineRoot = (): boolean =>
  (machineRoot ??= process.getuid?.() === ROOT && ownNamespace().isInitial);

/** Like `troubleWithPlace`, but for root with or without `--sys`. Returns `undefined` for any other user. */
export const troubleWithRootsPlace = (directory: string): string | undefined =>
  isMachineRoot() ? troubleWithDirectory(directory, { look: lookAt, when: 'for root' }) : undefined;

/**
 * Returns why root must not create, replace, append to or remove a file at `path`: another user could
 * redirect the path. A sticky directory of root is allowed. Without `sys`, checks only for root of the
 * machine.
 */
export const troubleForWriting = (path: string, { sys = false } = {}): string | undefined => {
  if (!sys && !isMachineRoot()) return undefined;
  return troubleAbove(dirname(path), { look: lookAt, when: sys ? 'with --sys' : 'for root' });
};

/** Advice for a problem that `troubleForWriting` returns. */
export const SAFE_PLACE =
  'give each directory on the way to root (chown root, chmod go-w), or name a path where only root may write, such as one below /run or /var/lib';

/** Throws the problem that `troubleForWriting` returns, with the advice. */
export const refuseUnsafeWriting = (path: string): void => {
  const trouble = troubleForWriting(path);
  if (trouble !== undefined) throw new Error(`${trouble}: ${SAFE_PLACE}`);
};

/**
 * Creates the directory of a file that root will write. Checks the path before and after, because in a sticky
 * directory another user may create the directory first. Rejects if the path is unsafe.
 */
export const makeSafeDirectory = async (path: string): Promise<void> => {
  refuseUnsafeWriting(path);
  await makeDirectoryAsync(dirname(path), 0o700);
  refuseUnsafeWriting(path);
};
