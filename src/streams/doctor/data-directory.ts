// The data directory: whose it is, whether it can be used, and who else may look into it.
import { listedText } from '../views/words/listed-text.ts';
import { fine, problem, warning, type Finding } from './finding.ts';

export interface DirectoryFacts {
  readonly path: string;
  /** Where its links lead; absent: it is not there. */
  readonly realPath?: string | undefined;
  readonly owner: number;
  readonly uid: number;
  /** What somebody else may read or write: path and mode, the directory itself with them. */
  readonly open: readonly string[];
  /** With `--sys`: why root must not use it. */
  readonly strange?: string | undefined;
  /** What the kernel says when it is not to be looked into. */
  readonly refused?: string | undefined;
  /** What the kernel says when nothing can be written there. */
  readonly unwritable?: string | undefined;
  /** What is in the way of a file or a directory of its own; a sentence each. */
  readonly misplaced?: readonly string[];
  /** Why the place that the control socket moves to cannot be used. */
  readonly socketless?: string | undefined;
}

const FIRST = 3;
const MEND_SOCKET = 'have it removed, or set XDG_RUNTIME_DIR or a shorter SUP_DATA_DIR';

const named = (paths: readonly string[]): string => listedText(paths, FIRST);

const place = ({ path, realPath }: DirectoryFacts): string =>
  realPath === path ? path : `${path}, which is ${realPath ?? ''}`;

/** What is so wrong that nothing else matters. */
const unusable = ({ path, strange, refused, unwritable, ...whose }: DirectoryFacts): string | undefined => {
  if (strange !== undefined) return `${path}: ${strange}`;
  if (refused !== undefined) return `${path} cannot be looked into: ${refused}`;
  if (whose.owner !== whose.uid)
    return `${path} belongs to user ${whose.owner}, and this is user ${whose.uid}`;
  return unwritable === undefined ? undefined : `${path} cannot be written: ${unwritable}`;
};

/** It is usable, and nobody else looks into it. One that is not there yet is well. */
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
