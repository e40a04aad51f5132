// Launchers are programs of Node: some tens of megabytes and all of a CPU for as long as they live. A bulk start of many
// privileged services takes its time at a few at once, and does not take the machine.

/** Runs it when there is room, in the order of asking. */
type FewAtOnce = <T>(work: () => Promise<T>) => Promise<T>;

/** What one may want to know of it. */
interface Crowd {
  /** Somebody has to wait. */
  readonly onWait: () => void;
  /** Nobody is at work any more. */
  readonly onRest: () => void;
}

export const fewAtOnce = (most: number, { onWait, onRest }: Crowd): FewAtOnce => {
  let busy = 0;
  const waiting: (() => void)[] = [];
  const enter = (): Promise<void> => {
    if (busy < most) {
      busy += 1;
      return Promise.resolve();
    }
    onWait();
    return new Promise((resolve) => waiting.push(resolve));
  };
  /** Whoever is next takes the place over. */
  const leave = (): void => {
    const next = waiting.shift();
    if (next !== undefined) return next();
    busy -= 1;
    if (busy === 0) onRest();
  };
  return async (work) => {
    await enter();
    try {
      return await work();
    } finally {
      leave();
    }
  };
};
