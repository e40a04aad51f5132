// A framer for output without a log: of a flood only the end is framed, since only the last lines are used.
import type { Framer } from './framing.ts';

const LINES = 41;
const NEWLINE = 10;

/** Where the last lines of a chunk begin; 0 if it has no others. */
const startOfEnd = (chunk: Buffer): number => {
  let at = chunk.length;
  for (let found = 0; found < LINES && at > 0; found += 1) at = chunk.lastIndexOf(NEWLINE, at - 1);
  return at <= 0 ? 0 : at + 1;
};

export type Framing = Pick<Framer, 'frame' | 'finish'>;

/** A framer that frames only the end of each chunk. */
export const endOnly = (framer: Framer): Framing => ({
  frame: (chunk) => {
    const start = startOfEnd(chunk);
    // The unfinished line ended in the part that is skipped.
    if (start > 0) framer.finish();
    framer.frame(chunk.subarray(start));
  },
  finish: () => framer.finish(),
});
