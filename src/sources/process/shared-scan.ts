// One scan of a kernel table answers all questions that waited when it began, and only one runs at a time. A
// few scans may follow each other at once. More of them are delayed, so that a thousand questions cost at
// most a third of a core.
import { setImmediate, setTimeout } from 'node:timers/promises';

interface Gathering<Q, T> {
  readonly asked: Q[];
  readonly answer: Promise<T>;
}

/** Every answer begins after its question: a scan receives exactly the questions that it answers. */
export const sharedScan = <Q, T>(
  take: (asked: readonly Q[]) => Promise<T>,
): ((question: Q) => Promise<T>) => {
  const pace = paced();
  let running: Promise<unknown> = Promise.resolve();
  let gathering: Gathering<Q, T> | undefined;
  const begin = async (asked: readonly Q[]): Promise<T> => {
    await running.catch(() => undefined);
    await pace.turn();
    // Callers in the same turn of the loop share the scan.
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

/** The share of a core that scans may take, and the work in milliseconds that is free before it applies. */
const SHARE = 1 / 3;
const CREDIT_MS = 10;

interface Pace {
  /** Resolves when the next scan may begin. */
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
