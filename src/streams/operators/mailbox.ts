// The single entry to the kernel. All events are posted here and delivered one by one, in order. With a
// re-entrant Subject alone, two subscribers would see two different orders.
import { type Observable, Subject } from 'rxjs';

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

interface Mailbox<T> {
  /** Delivers at once; during another delivery, right after it and the values already waiting. */
  readonly post: (value: T) => void;
  /** Hot: values posted before the subscription are lost. Never completes, never fails. */
  readonly posted$: Observable<T>;
}

/** Returns an empty mailbox. What subscribers post during a delivery is delivered after it. */
export const mailbox = <T>(): Mailbox<T> => {
  const letters$ = new Subject<T>();
  return { post: inTurn((value: T) => letters$.next(value)), posted$: letters$.asObservable() };
};
