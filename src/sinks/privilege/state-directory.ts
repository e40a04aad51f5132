// Makes the state directory of a service, once (`docs/manifest.md`, "state_dir"). An existing path is never
// changed: a directory of another user, a link or a file is an error.
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmdirSync,
  type Stats,
} from 'node:fs';
import { dirname } from 'node:path';
import { isMissing } from '../../os/errno.ts';
import { SAFE_PLACE, troubleForWriting } from '../../os/files/trusted-directories.ts';
import { messageOf } from '../../streams/domain/errors/thrown.ts';
import { LaunchRefused } from './launch-reports.ts';

/** The user and group that the directory belongs to. */
interface Owner {
  readonly uid: number;
  readonly gid: number;
}

const OF_PARENTS = 0o755;

const refused = (detail: string): LaunchRefused =>
  new LaunchRefused({ code: 'ERR0126', key: 'state_dir', detail });

const statsOf = (path: string): Stats | undefined => lstatSync(path, { throwIfNoEntry: false });

/** Makes a directory and its missing parents, all with mode 0755, whatever the umask is. */
const makeParent = (path: string): void => {
  try {
    mkdirSync(path);
    chmodSync(path, OF_PARENTS);
  } catch (error) {
    if (!isMissing(error)) {
      if (statsOf(path) !== undefined) return;
      throw error;
    }
    makeParent(dirname(path));
    makeParent(path);
  }
};

const giveTo = (path: string, { uid, gid }: Owner): void => {
  const { uid: own, gid: group } = lstatSync(path);
  if (uid !== own || gid !== group) chownSync(path, uid, gid);
};

/** Makes the directory under a temporary name first, so that it never exists at `path` with a wrong owner. */
const make = (path: string, owner: Owner): void => {
  makeParent(dirname(path));
  // Creates the directory with mode 0700.
  const fresh = mkdtempSync(`${path}.new-`);
  try {
    giveTo(fresh, owner);
    renameSync(fresh, path);
  } catch (error) {
    rmdirSync(fresh);
    throw error;
  }
};

const troubleWith = (path: string, found: Stats, { uid, gid }: Owner): string | undefined => {
  if (found.isSymbolicLink()) return `${path} is a symbolic link: name the directory itself`;
  if (!found.isDirectory()) return `${path} is no directory`;
  if (found.uid === uid) return undefined;
  return `${path} belongs to user ${found.uid}, and the service runs as ${uid}; nothing was changed: if it is the right one, chown -R ${uid}:${gid} ${path}`;
};

/** Makes the directory if it is missing. Throws `LaunchRefused` if that fails or the path cannot be used. */
export const provideStateDirectory = (
  path: string,
  owner: Owner,
  { sys }: { readonly sys: boolean },
): void => {
  try {
    const trouble = troubleForWriting(path, { sys });
    if (trouble !== undefined) throw refused(`${path}: ${trouble}: ${SAFE_PLACE}`);
    if (statsOf(path) === undefined) make(path, owner);
    const found = troubleWith(path, lstatSync(path), owner);
    if (found !== undefined) throw refused(found);
  } catch (error) {
    throw error instanceof LaunchRefused ? error : refused(`${path} cannot be made: ${messageOf(error)}`);
  }
};
