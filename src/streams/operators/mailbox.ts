// The queue through which events reach the kernel, one by one and in order. If a subscriber posted an event
// to a plain Subject, the Subject would deliver it in the middle of the current delivery, so that two
// subscribers could see two events in different orders.
import { type Observable, Subject } from 'rxjs';

/**
 * Returns a function that calls `handle` with each value, but never during another call. A value that arrives
 * during a call is handled after this call. Exceptions of `handle` are thrown when all values are handled.
 */
export const inTurn = <T>(handle: (value: T) => void): ((value: T) => void) => {
  const queue: T[] = [];
  return (value) => {
    if (queue.push(value) > 1) return;
    const failures: unknown[] = [];
    // The loop also reaches values that are added to the queue while the loop runs. The queue is emptied only
    // after the loop: a length above 0 means that a delivery is in progress.
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

interface Mailbox<T> {
  /** Delivers the value to the subscribers, at once or after the current delivery. */
  readonly post: (value: T) => void;
  /**
   * Emits the posted values. A subscriber does not get values that were posted before it subscribed. Never
   * completes or fails.
   */
  readonly posted$: Observable<T>;
}

/** Returns an empty mailbox. */
export const mailbox = <T>(): Mailbox<T> => {
  const letters$ = new Subject<T>();
  return { post: inTurn((value: T) => letters$.next(value)), posted$: letters$.asObservable() };
};
