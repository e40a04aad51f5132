// What the operating system asks of the supervisor itself: SIGTERM and SIGINT an orderly stop, SIGHUP a reload.
import { fromEvent, ignoreElements, map, merge, type Observable } from 'rxjs';
import type { Event } from '../../streams/domain/event.ts';

type Signalled = Extract<Event, { type: 'signalled' }>;

const SIGNALS: readonly Signalled['signal'][] = ['SIGTERM', 'SIGINT', 'SIGHUP'];

/** By default the first opens Node's debugger to everybody on this machine, and the second ends the process. */
const IGNORED = ['SIGUSR1', 'SIGUSR2'] as const;

/** `signalled` for each signal that `target` (the process) gets. While nobody listens, each does what it does by default. */
export function signals(target: NodeJS.EventEmitter): Observable<Signalled> {
  return merge(
    ...SIGNALS.map((signal) =>
      fromEvent(target, signal).pipe(map((): Signalled => ({ type: 'signalled', signal }))),
    ),
    ...IGNORED.map((signal) => fromEvent(target, signal).pipe(ignoreElements())),
  );
}
