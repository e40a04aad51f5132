// Checks the data directory: its owner, whether sup can use it, and whether other users can access it.
// Rules: `docs/behaviour.md`, "Names and places".
import { lstatSync, readdirSync, readlinkSync, realpathSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Finding, fine, problem, warning, checkOf } from './finding.ts';
import { type Context, placePorts, writtenDataDir } from '../../context.ts';
import { isMissing } from '../../../os/errno.ts';
import { troubleWithPlace } from '../../../os/files/trusted-directories.ts';
import { refuseSocketPlace } from '../../../sources/control/socket-place.ts';
import { misplacedIn, unwritable } from '../../../sources/store/data-directory.ts';
import { messageOf } from '../../../streams/domain/errors/thrown.ts';
import { listedText } from '../../../streams/domain/listed-text.ts';
import { errorDocument } from '../../../streams/views/errors/error-text.ts';

export interface DirectoryFacts {
  readonly path: string;
  /** The path with symbolic links resolved; absent if the directory does not exist. */
  readonly realPath?: string | undefined;
  readonly owner: number;
  readonly uid: number;
  /**
   * Path and mode of everything that other users may access: the data directory itself, and files and
   * directories in it.
   */
  readonly open: readonly string[];
  /** With `--sys`: why root must not use the data directory; absent if root may. */
  readonly strange?: string | undefined;
  /** The error if the data directory cannot be read. */
  readonly refused?: string | undefined;
  /** The error if the data directory cannot be written. */
  readonly unwritable?: string | undefined;
  /** Sentences about entries of the wrong kind, such as a file where sup needs a directory. */
  readonly misplaced?: readonly string[];
  /** Why the fallback directory of the control socket cannot be used. */
  readonly socketless?: string | undefined;
}

const FIRST = 3;
const MEND_SOCKET = 'have it removed, or set XDG_RUNTIME_DIR or a shorter SUP_DATA_DIR';

const named = (paths: readonly string[]): string => listedText(paths, FIRST);

const place = ({ path, realPath }: DirectoryFacts): string =>
  realPath === path ? path : `${path}, which is ${realPath ?? ''}`;

/**
 * Returns the problem that makes the data directory unusable, if there is one. In that case no other checks
 * are made.
 */
const unusable = ({ path, strange, refused, unwritable, ...ids }: DirectoryFacts): string | undefined => {
  if (strange !== undefined) return `${path}: ${strange}`;
  if (refused !== undefined) return `${path} cannot be looked into: ${refused}`;
  if (ids.owner !== ids.uid) return `${path} belongs to user ${ids.owner}, and this is user ${ids.uid}`;
  return unwritable === undefined ? undefined : `${path} cannot be written: ${unwritable}`;
};

/** Checks that the directory is usable and closed to other users. A missing directory is no problem. */
const judgeDirectory = (facts: DirectoryFacts): Finding => {
  const id = 'data directory';
  const { strange, realPath, path, open, misplaced = [], socketless } = facts;
  if (realPath === undefined && strange === undefined)
    return fine(id, `${path} is not there yet; it is made with the first supervisor`);
  const why = unusable(facts);
  if (why !== undefined) return problem(id, why, 'fix owner, mode and mount, or set SUP_DATA_DIR');
  if (misplaced.length > 0) return problem(id, named(misplaced), 'move away what is not of sup');
  if (socketless !== undefined) return problem(id, socketless, MEND_SOCKET);
  return open.length === 0
    ? fine(id, place(facts))
    : warning(id, `others may look into ${named(open)}`, 'chmod 700 directories, 600 files');
};

const OTHERS = 0o077;

const modeText = ({ mode }: Stats): string => (mode & 0o7777).toString(8).padStart(4, '0');

/** Returns the file's status; `undefined` if it was removed in the meantime. */
const statIfThere = (path: string): Stats | undefined => lstatSync(path, { throwIfNoEntry: false });

const openBelow = (path: string): readonly string[] => {
  const stats = statIfThere(path);
  if (stats === undefined || stats.isSymbolicLink()) return [];
  const own = (stats.mode & OTHERS) === 0 ? [] : [`${path} (${modeText(stats)})`];
  return stats.isDirectory()
    ? [...own, ...readdirSync(path).flatMap((name) => openBelow(join(path, name)))]
    : own;
};

/**
 * Returns a text about the path if it is a symbolic link to a missing target, because `sup` cannot create the
 * data directory there. Otherwise returns `undefined`.
 */
const nowhereFrom = (path: string): string | undefined =>
  statIfThere(path)?.isSymbolicLink() === true
    ? `it is a link to ${readlinkSync(path)}, which is not there`
    : undefined;

const factsAt = (path: string, uid: number): Omit<DirectoryFacts, 'strange'> => {
  const nothing = { path, owner: uid, uid, open: [] };
  try {
    const realPath = realpathSync(path);
    const facts = { path, realPath, owner: statSync(path).uid, uid, open: openBelow(realPath) };
    return { ...facts, unwritable: unwritable(path), misplaced: misplacedIn(path) };
  } catch (error) {
    const refused = isMissing(error) ? nowhereFrom(path) : messageOf(error);
    return refused === undefined ? nothing : { ...nothing, realPath: path, refused };
  }
};

const strangeAt = ({ sys, dataDir, world }: Context): string | undefined =>
  sys ? (troubleWithPlace(writtenDataDir(sys, world)) ?? troubleWithPlace(dataDir)) : undefined;

const socketlessAt = (context: Context): string | undefined => {
  const refusal = refuseSocketPlace(placePorts(context));
  return refusal && errorDocument(refusal).message;
};

const look = (context: Context): DirectoryFacts => ({
  ...factsAt(context.dataDir, context.world.uid),
  ...{ strange: strangeAt(context), socketless: socketlessAt(context) },
});

export const dataDirectory = checkOf('data directory', { look, judge: (facts) => [judgeDirectory(facts)] });
