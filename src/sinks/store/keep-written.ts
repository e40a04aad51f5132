// Keeps one file up to date without writing all the time: the first value is written at once, then the newest
// that came meanwhile. A thousand values a second cost a few writes. A full disk is retried.
import {
  concatWith,
  defer,
  ignoreElements,
  map,
  NEVER,
  retry,
  switchMap,
  tap,
  throttle,
  timer,
  type Observable,
} from 'rxjs';
import { messageOf } from '../../streams/domain/errors/thrown.ts';
import type { Work } from '../../streams/operators/one-at-a-time.ts';

export interface KeepPorts<T> {
  /** Emits and completes when the value is on disk. */
  readonly write: Work<T, unknown>;
  /** What is written, for messages. */
  readonly what: string;
  readonly onTrouble: (text: string) => void;
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number;
}

/**
 * The least pause between two writes, the share of time that writing may take, and the pause after a failure.
 */
const PAUSE_MS = 100;
const SHARE = 0.2;
const RETRY_MS = 500;

/**
 * Writes each newest value. Never completes, never fails: a failed write is reported once and retried with
 * the newest value.
 */
export const keepWritten =
  <T>(ports: KeepPorts<T>) =>
  (value$: Observable<T>): Observable<never> =>
    defer(() => {
      let newest: T;
      return value$.pipe(
        tap((value) => (newest = value)),
        // Never completes: a completion would drop the value that is held back.
        concatWith(NEVER),
        // Values are held back while a write lasts: all but the newest are dropped.
        throttle(() => writing(ports, () => newest), { leading: true, trailing: true }),
        ignoreElements(),
      );
    });

/** Emits once, when the newest value is on disk and the pause after it is over. */
function writing<T>(ports: KeepPorts<T>, newest: () => T): Observable<unknown> {
  return defer(() => {
    let troubled = false;
    const complain = (error: unknown): void => {
      if (!troubled) ports.onTrouble(`${ports.what} cannot be saved: ${messageOf(error)}; it is tried again`);
      troubled = true;
    };
    return timed(ports, newest).pipe(
      tap({ error: complain }),
      retry({ delay: RETRY_MS }),
      tap(() => troubled && ports.onTrouble(`${ports.what} is saved again`)),
      switchMap((spent) => timer(Math.max(PAUSE_MS, spent / SHARE))),
    );
  });
}

/** Writes, and emits the duration in milliseconds. */
function timed<T>(
  { write, now = () => performance.now() }: KeepPorts<T>,
  newest: () => T,
): Observable<number> {
  return defer(() => {
    const began = now();
    return write(newest()).pipe(map(() => now() - began));
  });
}
