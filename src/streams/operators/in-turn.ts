// A queue that makes a callback safe to call from within itself.

/**
 * Wraps `handle`: a value that arrives during a call waits, then follows in order, in the same tick. Without
 * this, a value posted by one reaction would overtake the remaining reactions to the previous value.
 * Exceptions from `handle` are thrown together once the queue is empty.
 */
export const inTurn = <T>(handle: (value: T) => void): ((value: T) => void) => {
  const queue: T[] = [];
  return (value) => {
    if (queue.push(value) > 1) return;
    const failures: unknown[] = [];
    // The iterator sees values pushed during the loop; the head stays until the end and marks the queue as
    // busy.
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
