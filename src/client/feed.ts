// A stream of the library: an observable that can also be read with `for await`.
import { defer, finalize, from, Observable } from 'rxjs';

/**
 * An observable that is also an async iterable. Each subscription and each loop reads the source separately.
 * When a loop is left, its source is closed.
 */
export type Feed<T> = Observable<T> & AsyncIterable<T>;

function feed<T>(source$: Observable<T>, iterate: () => AsyncIterator<T>): Feed<T> {
  const own$ = new Observable<T>((subscriber) => source$.subscribe(subscriber));
  return Object.assign(own$, { [Symbol.asyncIterator]: iterate });
}

/** What a loop has not read yet of its subscription: the newest value, and the end. */
interface Inbox<T> {
  newest?: { readonly value: T };
  end?: { readonly failed: boolean; readonly error?: unknown };
  /** Wakes the loop that waits for a value or the end. */
  wake: () => void;
}

/**
 * Yields values of the source. A loop that is slower than the source gets only the newest value and misses
 * older values.
 */
async function* newestOf<T>(source$: Observable<T>): AsyncGenerator<T> {
  const inbox: Inbox<T> = { wake: () => undefined };
  const put = (news: Partial<Inbox<T>>): void => {
    Object.assign(inbox, news);
    inbox.wake();
  };
  const subscription = source$.subscribe({
    next: (value) => put({ newest: { value } }),
    error: (error: unknown) => put({ end: { failed: true, error } }),
    complete: () => put({ end: { failed: false } }),
  });
  try {
    for (;;) {
      const { newest, end } = inbox;
      delete inbox.newest;
      if (newest !== undefined) yield newest.value;
      else if (end?.failed === true) throw end.error;
      else if (end !== undefined) return;
      else await new Promise<void>((resolve) => (inbox.wake = resolve));
    }
  } finally {
    subscription.unsubscribe();
  }
}

/**
 * Returns the feed of a state. A subscriber receives every value. A loop receives the newest value each time
 * it continues.
 */
export function stateFeed<T>(source$: Observable<T>): Feed<T> {
  return feed(source$, () => newestOf(source$));
}

/**
 * Returns an iterator that ends the generator when the loop is left, even while the generator waits for a
 * value.
 */
const endable = <T>(open: (signal: AbortSignal) => AsyncGenerator<T>): AsyncIterator<T> => {
  const ending = new AbortController();
  const values = open(ending.signal);
  return {
    next: () => values.next(),
    return: () => {
      ending.abort();
      return values.return(undefined);
    },
  };
};

/**
 * Returns the feed of lines that are read on demand. A slow loop delays the reader, so that no lines collect
 * in memory. The generator of `open` yields lines until the signal aborts.
 */
export function lineFeed<T>(open: (signal: AbortSignal) => AsyncGenerator<T>): Feed<T> {
  const lines$ = defer(() => {
    const ending = new AbortController();
    return from(open(ending.signal)).pipe(finalize(() => ending.abort()));
  });
  return feed(lines$, () => endable(open));
}
