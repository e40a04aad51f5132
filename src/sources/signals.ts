// Receives the signals to the supervisor itself: SIGTERM and SIGINT request an orderly stop, SIGHUP a reload.
// Rules: `docs/behaviour.md`, "One supervisor".
import { defer, from, fromEvent, ignoreElements, map, merge, type Observable } from 'rxjs';
import { takeEarlySignals } from '../os/early-signals.ts';
import type { Event } from '../streams/domain/event.ts';

type Signalled = Extract<Event, { type: 'signalled' }>;

const SIGNALS: readonly Signalled['signal'][] = ['SIGTERM', 'SIGINT', 'SIGHUP'];

/**
 * The signals that are received and ignored. Without a handler, SIGUSR1 would open the debugger of Node to
 * all users, and SIGUSR2 would kill the process.
 */
const IGNORED = ['SIGUSR1', 'SIGUSR2'] as const;

const signalled = (signal: Signalled['signal']): Signalled => ({ type: 'signalled', signal });

/** Emits `signalled` for each signal to `target`, also for signals that arrived during startup. */
export function signals(target: NodeJS.EventEmitter): Observable<Signalled> {
  return merge(
    ...SIGNALS.map((signal) => fromEvent(target, signal).pipe(map(() => signalled(signal)))),
    ...IGNORED.map((signal) => fromEvent(target, signal).pipe(ignoreElements())),
    defer(() => from(takeEarlySignals().map(signalled))),
  );
}
