// The data directory: its owner, whether it is usable, and whether other users can access it.
import { listedText } from '../domain/listed-text.ts';
import { fine, problem, warning, type Finding } from './finding.ts';

export interface DirectoryFacts {
  readonly path: string;
  /** The path with its links resolved; absent if it does not exist. */
  readonly realPath?: string | undefined;
  readonly owner: number;
  readonly uid: number;
  /** What other users may read or write: path and mode, including the directory itself. */
  readonly open: readonly string[];
  /** With `--sys`: why root must not use it. */
  readonly strange?: string | undefined;
  /** The kernel's error when it cannot be read. */
  readonly refused?: string | undefined;
  /** The kernel's error when it cannot be written. */
  readonly unwritable?: string | undefined;
  /** Obstacles in place of its own files or directories; a sentence each. */
  readonly misplaced?: readonly string[];
  /** Why the fallback directory of the control socket cannot be used. */
  readonly socketless?: string | undefined;
}

const FIRST = 3;
const MEND_SOCKET = 'have it removed, or set XDG_RUNTIME_DIR or a shorter SUP_DATA_DIR';

const named = (paths: readonly string[]): string => listedText(paths, FIRST);

const place = ({ path, realPath }: DirectoryFacts): string =>
  realPath === path ? path : `${path}, which is ${realPath ?? ''}`;

/** Returns the problem that makes everything else irrelevant. */
const unusable = ({ path, strange, refused, unwritable, ...whose }: DirectoryFacts): string | undefined => {
  if (strange !== undefined) return `${path}: ${strange}`;
  if (refused !== undefined) return `${path} cannot be looked into: ${refused}`;
  if (whose.owner !== whose.uid)
    return `${path} belongs to user ${whose.owner}, and this is user ${whose.uid}`;
  return unwritable === undefined ? undefined : `${path} cannot be written: ${unwritable}`;
};

/** Checks that it is usable and closed to other users. A directory that does not exist yet is fine. */
export const judgeDirectory = (facts: DirectoryFacts): Finding => {
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
