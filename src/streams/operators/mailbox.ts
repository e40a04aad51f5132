// The single entry to the kernel. All events are posted here and delivered one by one, in order. A plain
// Subject would deliver an event that a subscriber posts at once, so that two subscribers could see two
// events in different orders.
import { type Observable, Subject } from 'rxjs';

/**
 * Wraps `handle` so that calls never nest: a value that arrives during a call waits, then follows in order,
 * in the same tick. Without this, a value posted by one subscriber would overtake the remaining subscribers
 * to the previous value. Exceptions from `handle` are thrown together once the queue is empty.
 */
export const inTurn = <T>(handle: (value: T) => void): ((value: T) => void) => {
  const queue: T[] = [];
  return (value) => {
    if (queue.push(value) > 1) return;
    const failures: unknown[] = [];
    // The iterator also visits values pushed during the loop. The queue is emptied only at the end: until
    // then its length shows that a delivery is under way.
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
  /** Delivers the value at once; during another delivery, after that one and the values already waiting. */
  readonly post: (value: T) => void;
  /**
   * Emits posted values. Hot: values posted before the subscription are lost. Never completes, never fails.
   */
  readonly posted$: Observable<T>;
}

/** Returns an empty mailbox. Values that subscribers post during a delivery are delivered after it. */
export const mailbox = <T>(): Mailbox<T> => {
  const letters$ = new Subject<T>();
  return { post: inTurn((value: T) => letters$.next(value)), posted$: letters$.asObservable() };
};
