// The queue through which events reach the kernel, one by one and in order. A plain Subject would deliver an
// event at once that a subscriber posts, so that two subscribers could see two events in different orders.
import { type Observable, Subject } from 'rxjs';

/**
 * Returns a function that calls `handle`, but never during another call: values that arrive meanwhile are
 * handled afterwards, and exceptions thrown at the end.
 */
export const inTurn = <T>(handle: (value: T) => void): ((value: T) => void) => {
  const queue: T[] = [];
  return (value) => {
    if (queue.push(value) > 1) return;
    const failures: unknown[] = [];
    // Also reaches values pushed meanwhile. The queue is emptied at the end: its length marks a delivery in
    // progress.
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
  /** Emits posted values; those from before the subscription are lost. Never completes or fails. */
  readonly posted$: Observable<T>;
}

/** Returns an empty mailbox. */
export const mailbox = <T>(): Mailbox<T> => {
  const letters$ = new Subject<T>();
  return { post: inTurn((value: T) => letters$.next(value)), posted$: letters$.asObservable() };
};
