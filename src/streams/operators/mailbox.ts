// The queue through which all events reach the kernel, one by one and in order. A plain Subject would deliver
// an event at once that a subscriber posts, so that two subscribers could see two events in different orders.
import { type Observable, Subject } from 'rxjs';

/**
 * Returns a function that calls `handle`, but never during another call: a value that arrives meanwhile is
 * queued and handled afterwards, in the same turn of the event loop. Otherwise it could overtake the previous
 * value. Exceptions from `handle` are thrown together when the queue is empty.
 */
export const inTurn = <T>(handle: (value: T) => void): ((value: T) => void) => {
  const queue: T[] = [];
  return (value) => {
    if (queue.push(value) > 1) return;
    const failures: unknown[] = [];
    // The loop also reaches values that are pushed while it runs. The queue is emptied only at the end: until
    // then its length shows that a delivery is in progress.
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
  /**
   * Delivers the value to the subscribers at once. During another delivery, the value is queued after those
   * already waiting.
   */
  readonly post: (value: T) => void;
  /** Emits posted values. Values posted before the subscription are lost. Never completes, never fails. */
  readonly posted$: Observable<T>;
}

/** Returns an empty mailbox: values that subscribers post during a delivery are delivered after it. */
export const mailbox = <T>(): Mailbox<T> => {
  const letters$ = new Subject<T>();
  return { post: inTurn((value: T) => letters$.next(value)), posted$: letters$.asObservable() };
};
