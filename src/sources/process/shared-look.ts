// One look at a table of the kernel's answers everybody who was waiting when it began, and there is never more than one
// at a time. A few looks may follow each other at once; more of them wait, so that a thousand questions cost at most a
// third of a core.
import { setImmediate, setTimeout } from 'node:timers/promises';

interface Gathering<Q, T> {
  readonly asked: Q[];
  readonly answer: Promise<T>;
}

/** Nobody gets an answer that was begun before the question: a look is told all questions that it answers, and no other. */
export const sharedLook = <Q, T>(
  take: (asked: readonly Q[]) => Promise<T>,
): ((question: Q) => Promise<T>) => {
  const pace = paced();
  let running: Promise<unknown> = Promise.resolve();
  let gathering: Gathering<Q, T> | undefined;
  const begin = async (asked: readonly Q[]): Promise<T> => {
    await running.catch(() => undefined);
    await pace.turn();
    // One turn of the loop, so that whoever asks in this one shares the look.
    await setImmediate();
    gathering = undefined;
    const began = performance.now();
    const taken = take(asked).finally(() => pace.spent(performance.now() - began));
    running = taken;
    return taken;
  };
  const gather = (): Gathering<Q, T> => {
    const asked: Q[] = [];
    return { asked, answer: begin(asked) };
  };
  return (question) => {
    gathering ??= gather();
    gathering.asked.push(question);
    return gathering.answer;
  };
};

/** The share of a core that looking may take, and the work in milliseconds that is done at once before it applies. */
const SHARE = 1 / 3;
const CREDIT_MS = 10;

interface Pace {
  /** Settles when the next look may begin. */
  turn(): Promise<void>;
  spent(work: number): void;
}

const paced = (): Pace => {
  let paidUntil = 0;
  return {
    turn: async () => {
      const early = paidUntil - CREDIT_MS / SHARE - performance.now();
      if (early > 0) await setTimeout(early);
    },
    spent: (work) => {
      paidUntil = Math.max(paidUntil, performance.now()) + work / SHARE;
    },
  };
};
