// Shares scans of a kernel table: one scan serves all callers that were waiting when it began. Scans in quick
// succession are delayed, so that a thousand calls use at most a third of a core.
import { setImmediate, setTimeout } from 'node:timers/promises';

interface Clock {
  /** A monotonic clock, ms. */
  readonly now: () => number;
  /**
   * The processor time that this process has used, ms. On a busy machine a scan lasts much longer than the
   * processor time that it uses, and only that time may delay the next scan.
   */
  readonly used: () => number;
  readonly pause: (length: number) => Promise<unknown>;
}

const usedByThis = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

const CLOCK: Clock = {
  now: () => performance.now(),
  used: usedByThis,
  pause: (length) => setTimeout(length),
};

interface Gathering<Q, T> {
  readonly asked: Q[];
  readonly answer: Promise<T>;
}

/** Returns a function that resolves to the result of a shared scan. The scan begins after the call. */
export const sharedScan = <Q, T>(
  take: (asked: readonly Q[]) => Promise<T>,
  clock: Clock = CLOCK,
): ((question: Q) => Promise<T>) => {
  const pace = paced(clock);
  let running: Promise<unknown> = Promise.resolve();
  let gathering: Gathering<Q, T> | undefined;
  const begin = async (asked: readonly Q[]): Promise<T> => {
    await running.catch(() => undefined);
    await pace.turn();
    // All callers in the same turn of the event loop share the scan.
    await setImmediate();
    gathering = undefined;
    const before = clock.used();
    const taken = take(asked).finally(() => pace.spent(clock.used() - before));
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

/**
 * Limits of the scans: the share of a core that they may use, and the processor time, in ms, that they may
 * use before this limit applies.
 */
const SHARE = 1 / 3;
const CREDIT_MS = 10;
/**
 * The number of scans that begin without a delay after a pause, because a stop needs three scans. With 5,000
 * processes each scan would otherwise begin a second after the previous scan.
 */
const FREE_SCANS = 3;

interface Pace {
  /** Resolves when the next scan may begin. */
  turn(): Promise<void>;
  spent(work: number): void;
}

const paced = ({ now, pause }: Clock): Pace => {
  let paidUntil = 0;
  let free = FREE_SCANS;
  return {
    turn: async () => {
      const early = paidUntil - now();
      if (early <= 0) free = FREE_SCANS;
      free -= 1;
      if (free < 0 && early > CREDIT_MS / SHARE) await pause(early - CREDIT_MS / SHARE);
    },
    spent: (work) => {
      paidUntil = Math.max(paidUntil, now()) + work / SHARE;
    },
  };
};
