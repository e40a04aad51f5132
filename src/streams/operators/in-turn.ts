// One at a time: the queue that makes a callback safe to call from within itself.

/**
 * Wraps `handle` so that values that arrive while one is being handled wait until it is done, then follow in order, in
 * the same tick. Without it a value posted by a reaction overtakes the rest of the reaction to the value before it.
 * What `handle` throws is thrown once everybody in the queue was served.
 */
export const inTurn = <T>(handle: (value: T) => void): ((value: T) => void) => {
  const queue: T[] = [];
  return (value) => {
    if (queue.push(value) > 1) return;
    const failures: unknown[] = [];
    // The iterator sees what is pushed while it runs; the head stays until the end, as the sign of being busy.
    for (const next of queue) {
      try {
        handle(next);
      } catch (failure) {
        failures.push(failure);
      }
    }
    queue.length = 0;
    if (failures.length > 0) throw new AggregateError(failures, 'handled in turn, but not all well');
  };
};
