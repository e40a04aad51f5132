// Subscribes the tasks of a supervisor: the loop, and the parts that follow the state and do not change it.
// If a task fails, the supervisor exits, because without the task it would answer requests but do nothing.
// The next supervisor continues from the records.
import {
  catchError,
  defer,
  EMPTY,
  ignoreElements,
  map,
  merge,
  Subscription,
  tap,
  type Observable,
} from 'rxjs';
import { questions, replies } from '../sinks/control/client-answers.ts';
import { removeUnusedCgroups } from '../sinks/privilege/unused-cgroups.ts';
import { commandRequests } from '../sources/control/server.ts';
import { signals } from '../sources/signals.ts';
import { useReserve } from '../os/files/disk-reserve.ts';
import { ownMemory } from '../os/own-memory.ts';
import { messageOf } from '../streams/domain/errors/thrown.ts';
import { ms } from '../streams/domain/time.ts';
import { guarded } from '../streams/operators/guarded.ts';
import { layoutOf } from '../streams/wire/layout.ts';
import { RunUids } from './followers/run-uids.ts';
import { savedReplies } from './followers/saved-replies.ts';
import { keep } from './followers/state-records.ts';
import { purgeIn } from '../sinks/store/unregistered-files.ts';
import { rememberClosing, untilStarted } from './closing-record.ts';
import { peersOf, peerUid } from './callers.ts';
import { loopPorts } from './machine/loop-ports.ts';
import type { SupervisorOptions } from './supervisor-options.ts';
import { upgrades } from './upgrade/carry-out-upgrade.ts';
import { watchedBefore } from './upgrade/first-step.ts';
import { type Deps, reportUnexpected } from './deps.ts';
import type { EndReason } from '../streams/domain/effect.ts';
import { prepareServiceSocket } from '../sources/control/socket-place.ts';
import { idleCollection, QUIET_MS } from '../streams/operators/idle-collection.ts';

/** How the tasks ended. `broken`: a task failed, and its error was reported. */
type End = { readonly tag: 'quit'; readonly endReason: EndReason | undefined } | { readonly tag: 'broken' };

interface RunningTasks {
  readonly end: Promise<End>;
  readonly subscription: Subscription;
}

interface TaskPorts {
  /**
   * The long-running parts of the supervisor, by name. They are subscribed in this order, and none of them
   * completes by itself.
   */
  readonly tasks: Readonly<Record<string, Observable<never>>>;
  readonly quit$: Observable<{ readonly endReason?: EndReason }>;
  readonly onError: (name: string, error: unknown) => void;
}

/** Subscribes all tasks in order. `end` resolves when `quit$` emits or a task fails. */
export const runTasks = ({ tasks, quit$, onError }: TaskPorts): RunningTasks => {
  const subscription = new Subscription();
  const end = new Promise<End>((settle) => {
    const broken =
      (name: string) =>
      (error: unknown): void => {
        onError(name, error);
        settle({ tag: 'broken' });
      };
    for (const [name, task$] of Object.entries(tasks))
      subscription.add(task$.subscribe({ error: broken(name) }));
    subscription.add(
      quit$.subscribe({
        next: ({ endReason }) => settle({ tag: 'quit', endReason }),
        error: () => settle({ tag: 'broken' }),
      }),
    );
  });
  return { end, subscription };
};

/** Frees the reserved disk space, so that the shutdown can be recorded even on a full disk. */
export const makeRoom = ({ dataDir }: SupervisorOptions): void => useReserve(layoutOf(dataDir).reserve);

/** Runs the loop with the sources and sinks of this machine. */
function connect(deps: Deps): Observable<never> {
  const { options, log, server, loop, records, measured, tally } = deps;
  const { capture, sockets, notify, processes, book, gate, paces, slots } = deps;
  const ports = loopPorts(options, {
    capture,
    sockets,
    processes,
    peers: peersOf(server, options.ffi),
    notes: log.sink,
    replies: savedReplies({ ...records, slots, makeRoom: () => makeRoom(options) }, replies(server), tally),
    handing: { notify, book, gate, paces, slots, begun$: loop.derived.step$ },
    warn: log.warn,
    logError: log.error,
    onError: reportUnexpected(log),
    happened$: merge(commandRequests(server), signals(process)),
    onProbed: measured.onProbed,
  });
  return loop.run(ports);
}

/** Opens the service socket, on which processes of services report events and request children. */
function socketOfServices(
  { options: { sys }, place, server, log, libc }: Deps,
  uids: RunUids,
): Observable<never> {
  const own = place.uid;
  // Without `sys`, only the user of the supervisor and root can reach the socket in its directory. Thus the
  // uid need not be read.
  const uidOf = sys ? peerUid(libc) : (): number => own;
  const admits = (uid: number): boolean => uid === own || (sys && uids.has(uid));
  const mode = sys ? 0o666 : 0o600;
  return defer(() =>
    server.openServiceSocket(prepareServiceSocket(place), { own, uidOf, admits, mode }),
  ).pipe(
    ignoreElements(),
    catchError((error: unknown) => {
      log.error(`services cannot report events: ${messageOf(error)}`);
      return EMPTY;
    }),
  );
}

/** Runs the parts that react to each new state: they write records and inform clients. */
function follow(deps: Deps): Observable<never> {
  const { options, server, sockets, capture, watching, log, libc } = deps;
  const { derived, read } = deps.loop;
  const { records, events, measured, alerts, snapshot } = deps;
  const answered$ = questions({
    server,
    environment: options.environment,
    measures: measured.measures,
    read: snapshot,
    purge: (query) => purgeIn(layoutOf(options.dataDir), read(), query),
    watching,
    handed$: watchedBefore(options, derived),
    changed$: merge(derived.service$.pipe(map(({ id }) => id)), measured.refreshed$),
  });
  const upgraded$ = upgrades(deps);
  const uids = new RunUids();
  const closed$ = derived.service$.pipe(
    tap(({ id, service }) => sockets.follow(id, service)),
    tap(({ id, service }) => capture.follow(id, service)),
    tap(({ id, service }) => uids.follow(id, service)),
    ignoreElements(),
  );
  return merge(
    keep(derived, records),
    rememberClosing(derived.state$, options),
    untilStarted(derived.state$, options),
    events.run$,
    alerts.run$.pipe(guarded('alerts', { onError: reportUnexpected(log), pause: ms(1_000) })),
    answered$,
    upgraded$,
    closed$,
    options.sys ? removeUnusedCgroups(derived.service$) : EMPTY,
    socketOfServices(deps, uids),
    measured.run$,
    idleCollection(derived.step$, ownMemory(libc)).pipe(
      guarded('memory', { onError: reportUnexpected(log), pause: QUIET_MS }),
    ),
  );
}

/** Subscribes the records before the loop: a stop must be recorded before the process is signalled. */
export const startTasks = (deps: Deps): RunningTasks =>
  runTasks({
    tasks: { 'store, views': follow(deps), loop: connect(deps) },
    quit$: deps.loop.derived.quit$,
    onError: reportUnexpected(deps.log),
  });
