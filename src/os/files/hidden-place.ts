// Whether a directory is one that a launcher has hidden from the service that this process belongs to.
import { readFileSync, statfsSync } from 'node:fs';

/** How the file system that lies over it is named in the table of mounts. */
export const HIDDEN_SOURCE = 'sup-hidden';

const TMPFS = 0x0102_1994;

/** As the kernel writes a path there: blanks, tabs, line ends and backslashes in octal. */
const escaped = (path: string): string =>
  path.replaceAll(/[ \t\n\\]/g, (one) => `\\${one.charCodeAt(0).toString(8).padStart(3, '0')}`);

/** False where that cannot be found out. */
export const isHiddenPlace = (directory: string): boolean => {
  try {
    if (statfsSync(directory).type !== TMPFS) return false;
    const at = ` ${escaped(directory)} `;
    return readFileSync('/proc/self/mountinfo', 'utf8')
      .split('\n')
      .some((line) => line.includes(at) && line.includes(` - tmpfs ${HIDDEN_SOURCE} `));
  } catch {
    return false;
  }
};
