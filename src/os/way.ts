// The way to a file, as the kernel walks it: every directory it goes through, also where links lead. With `--sys` nobody
// but root may be able to turn it: a file of root's is no better than the directories that lead to it.
import { lstatSync, readlinkSync, type Stats } from 'node:fs';
import { dirname, resolve } from 'node:path';

const ROOT = 0;
const OTHERS_MAY_WRITE = 0o022;
/** In such a directory everybody may make something, and remove only what is theirs. */
const STICKY = 0o1000;
/** As many as the kernel follows. */
const MOST_LINKS = 40;

const modeText = (mode: number): string => (mode & 0o7777).toString(8).padStart(4, '0');

const troubleWith = (path: string, stats: Stats): string | undefined => {
  const what = stats.isSymbolicLink() ? 'the link' : 'the directory';
  if (stats.uid !== ROOT)
    return `${what} ${path} on the way to it is owned by user ${stats.uid}; with --sys it must be owned by root`;
  const open = (stats.mode & OTHERS_MAY_WRITE) !== 0 && (stats.mode & STICKY) === 0;
  return stats.isDirectory() && open
    ? `the directory ${path} on the way to it has mode ${modeText(stats.mode)}; with --sys neither group nor others may write it`
    : undefined;
};

/** Each directory and link on the way to `path`, from `/` on, is only root's to change; else what is wrong with the first. */
export const troubleOnTheWay = (path: string, links = 0): string | undefined => {
  const parts = path.split('/').filter((part) => part !== '');
  for (let count = 0; count <= parts.length; count += 1) {
    const at = `/${parts.slice(0, count).join('/')}`;
    const stats = lstatSync(at);
    const isEnd = count === parts.length;
    if (isEnd && !stats.isSymbolicLink()) return undefined;
    const trouble = troubleWith(at, stats);
    if (trouble !== undefined) return trouble;
    if (!stats.isSymbolicLink()) continue;
    if (links === MOST_LINKS) return 'there are too many links on the way to it';
    const target = resolve(dirname(at), readlinkSync(at));
    return troubleOnTheWay(resolve(target, ...parts.slice(count)), links + 1);
  }
  return undefined;
};
