// The single entry to the kernel. All events are posted here and delivered one by one, in order. With a
// re-entrant Subject alone, two subscribers would see two different orders.
import { Subject, type Observable } from 'rxjs';
import { inTurn } from './in-turn.ts';

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
