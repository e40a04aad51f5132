// Files in which services leave marks, and by which a scenario steers them.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually, holds } from './eventually.ts';
import type { Stage } from './stage.ts';

/** The lines of a file in the work directory; none when it is not there. */
export const linesOf = ({ work }: Stage, file: string): readonly string[] => {
  const path = join(work, file);
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : [];
};

/** Waits until the file has at least so many lines. */
export const linesCome = (stage: Stage, file: string, count: number): Promise<readonly string[]> =>
  eventually({
    what: `${count} lines in ${file}`,
    look: () => {
      const lines = linesOf(stage, file);
      return lines.length >= count ? lines : undefined;
    },
    instead: () => linesOf(stage, file),
  });

export const fileComes = ({ work }: Stage, file: string): Promise<void> =>
  holds(`the file ${file}`, () => existsSync(join(work, file)));
