// A launcher is a Node process: some tens of megabytes and a whole CPU while it lives. A bulk start of
// privileged services therefore runs a few at once and leaves room for others.

/** Runs `work` when there is room, in the order of the calls. */
type FewAtOnce = <T>(work: () => Promise<T>) => Promise<T>;

/** Callbacks on how busy it is. */
interface Crowd {
  /** Called when a call has to wait. */
  readonly onWait: () => void;
  /** Called when nothing runs any more. */
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
  /** The next call in the queue takes over the place. */
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
