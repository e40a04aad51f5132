// Tells whether a launcher has hidden a directory from the service that this process belongs to.
import { readFileSync, statfsSync } from 'node:fs';

/** The source name, in the mount table, of the file system that covers it. */
export const HIDDEN_SOURCE = 'sup-hidden';

const TMPFS = 0x0102_1994;

/** A path as the kernel prints it in that table: blanks, tabs, line ends and backslashes in octal. */
const escaped = (path: string): string =>
  path.replaceAll(/[ \t\n\\]/g, (one) => `\\${one.charCodeAt(0).toString(8).padStart(3, '0')}`);

/** False if that cannot be read. */
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
