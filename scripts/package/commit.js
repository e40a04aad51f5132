// The commit from which the packages are built: its time is the time of every file in them.
import { run } from './tools.js';

/**
 * Returns the time of the commit (s since 1970), and the person that made it, as the maintainer of the
 * package.
 */
export const commitOf = (directory) => {
  const [seconds, maintainer] = run('git', ['log', '-1', '--format=%ct%n%an <%ae>'], { cwd: directory })
    .trim()
    .split('\n');
  return { seconds: Number(seconds), maintainer };
};
