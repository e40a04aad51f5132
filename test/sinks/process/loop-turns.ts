// How often the event loop turns.
import { onTestFinished } from 'vitest';

/** So often it has turned since. */
export const turnsOfTheLoop = (): (() => number) => {
  let turns = 0;
  let next = setImmediate(function count() {
    turns += 1;
    next = setImmediate(count);
  });
  onTestFinished(() => clearImmediate(next));
  return () => turns;
};

export const someTurns = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};
