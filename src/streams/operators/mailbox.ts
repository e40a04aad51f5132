// The one door into the kernel. Everything that happens is posted here and comes out one by one, in order; two
// subscribers of a bare re-entrant Subject would see two different orders.
import { Subject, type Observable } from 'rxjs';
import { inTurn } from './in-turn.ts';

interface Mailbox<T> {
  /** Delivers at once, or, while another value is being delivered, directly after it and those already waiting. */
  readonly post: (value: T) => void;
  /** Hot: what was posted before anybody subscribed is gone. Never ends, never fails. */
  readonly posted$: Observable<T>;
}

/** Empty. What its readers post while they read is delivered after what they are reading. */
export const mailbox = <T>(): Mailbox<T> => {
  const letters$ = new Subject<T>();
  return { post: inTurn((value: T) => letters$.next(value)), posted$: letters$.asObservable() };
};
