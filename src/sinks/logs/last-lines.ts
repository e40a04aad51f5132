// A framer for output that nobody keeps: of a flood only the end is framed, since only the last lines are looked at.
import type { Framer } from './framing.ts';

const LINES = 41;
const NEWLINE = 10;

/** Where the last lines of a chunk begin; 0 where it has no more than those. */
const startOfEnd = (chunk: Buffer): number => {
  let at = chunk.length;
  for (let found = 0; found < LINES && at > 0; found += 1) at = chunk.lastIndexOf(NEWLINE, at - 1);
  return at <= 0 ? 0 : at + 1;
};

export type Framing = Pick<Framer, 'frame' | 'finish'>;

/** Frames the end of a chunk. */
export const endOnly = (framer: Framer): Framing => ({
  frame: (chunk) => {
    const start = startOfEnd(chunk);
    // What was unfinished ended somewhere in what is left out.
    if (start > 0) framer.finish();
    framer.frame(chunk.subarray(start));
  },
  finish: () => framer.finish(),
});
