// One check after the other, a line for each: the machine has no other way to say what it found.
import { END } from './scene.ts';

export interface Check {
  readonly title: string;
  /** Throws when it is not so. */
  readonly run: () => Promise<void>;
}

/** Of a sentence on the console. */
const LONGEST = 400;

export const runAll = async (checks: readonly Check[]): Promise<void> => {
  for (const { title, run } of checks) {
    const began = Date.now();
    try {
      await run();
      console.log(`ok - ${title} (${Date.now() - began} ms)`);
    } catch (error) {
      const [why] = (error instanceof Error ? error.message : String(error)).split('\n');
      console.log(`not ok - ${title}: ${(why ?? '').slice(0, LONGEST)}`);
    }
  }
  console.log(`${END} ${checks.length}`);
};

export const expectSame = (what: string, seen: unknown, wanted: unknown): void => {
  if (JSON.stringify(seen) !== JSON.stringify(wanted))
    throw new Error(`${what}: ${JSON.stringify(seen)}, not ${JSON.stringify(wanted)}`);
};

/** An emulated machine on a busy one takes a minute for what takes a second. */
const PATIENCE_MS = 240_000;

/** What `look` finds, as soon as it finds something. */
export const eventually = async <T>(what: string, look: () => T | undefined): Promise<T> => {
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until;) {
    const found = look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`waited ${PATIENCE_MS / 1000} s for ${what}`);
};
