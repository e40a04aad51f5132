// The composition root: connects sources, kernel and sinks to one loop. It decides nothing.
import { setTimeout as pause } from 'node:timers/promises';
import {
  defer,
  EMPTY,
  ignoreElements,
  lastValueFrom,
  map,
  merge,
  switchMap,
  tap,
  type Observable,
  type Subscription,
} from 'rxjs';
import { questions, replies } from '../sinks/control/client-answers.ts';
import { keepCgroups } from '../sinks/privilege/cgroup-keeper.ts';
import { commandRequests } from '../sources/control/server.ts';
import { spawnSocketPath } from '../sources/control/spawn-socket.ts';
import { mendSocketPlace, prepareSocketPlace } from '../sources/control/socket-place.ts';
import { signals } from '../sources/signals.ts';
import type { Hold } from '../sources/store/directory-hold.ts';
import { wallClock } from '../sources/clocks.ts';
import { declaredUid } from '../sources/process/traces.ts';
import { hearEarly, refuseDebugger } from '../os/early-signals.ts';
import { holdReserve, restoreReserve, useReserve } from '../os/files/disk-reserve.ts';
import { ownMemory } from '../os/own-memory.ts';
import { messageOf } from '../streams/domain/errors/thrown.ts';
import { guarded } from '../streams/operators/guarded.ts';
import { QUIET_MS, idleCollection } from '../streams/operators/idle-collection.ts';
import { layoutOf } from '../streams/wire/layout.ts';
import { loopOf, type Loop } from '../streams/kernel/loop.ts';
import { EXIT, type ExitStatus } from '../streams/wire/exit-status.ts';
import { companionsOf, serveMetrics, type Companions } from './companions.ts';
import { endCommands, type First, firstEvent } from './first-event.ts';
import { assemble, complain, type Parts } from './parts.ts';
import { savedReplies } from './followers/saved-replies.ts';
import {
  isRecordLost,
  keep,
  keepLast,
  keepNow,
  projectsIn,
  type RecordWriters,
} from './followers/state-records.ts';
import { spawnDoor } from './followers/open-spawn-socket.ts';
import { consoleFor, lastStatus, startsOf, stateFor } from './given-manifests.ts';
import { lifeOf, type Life } from './life.ts';
import { purgeIn } from '../sinks/store/leftovers.ts';
import { selfRepair } from './self-repair.ts';
import { closingBefore, rememberClosing, untilStarted, wasShutDown } from './closing-record.ts';
import { onUncaught, reExecuting, reportCrash } from './re-execution.ts';
import { peersOf, peerUid } from './callers.ts';
import { loopPorts } from './machine/loop-ports.ts';
import type { SupervisorOptions } from './supervisor-options.ts';
import { continuedEvent } from './upgrade/resume.ts';
import { upgrades } from './upgrade/coordinate.ts';
import { goOn, keepProgramSoon, watchedBefore } from './upgrade/first-step.ts';
import { isReExecuted } from './upgrade/program.ts';

/** Frees the reserve, so that the end can be recorded even on a full disk. */
const makeRoom = ({ dataDir }: SupervisorOptions): void => useReserve(layoutOf(dataDir).reserve);

/** Runs the loop with the sources and sinks of this machine. */
function connect(
  { options, log, capture, sockets, processes, server, book, gate, paces, tally, slots }: Parts,
  loop: Loop,
  { records, measured }: Companions,
): Observable<never> {
  const around = loopPorts(options, {
    capture,
    sockets,
    processes,
    peers: peersOf(server, options.ffi),
    notes: log.sink,
    replies: savedReplies({ ...records, slots, makeRoom: () => makeRoom(options) }, replies(server), tally),
    handing: { book, gate, paces, slots, begun$: loop.derived.step$ },
    onTrouble: log.trouble,
    onError: complain(log),
    happened$: merge(commandRequests(server), signals(process)),
    onProbed: measured.onProbed,
  });
  return loop.run(around);
}

/** Opens the socket on which services request children if they cannot use the control socket. */
function spawnSocket({ options, server, log, libc }: Parts, { derived }: Loop): Observable<never> {
  return spawnDoor(derived.service$, {
    ...{ own: process.geteuid?.() ?? 0, uidOf: declaredUid },
    open: (admits) => server.openDoor(spawnSocketPath(options.dataDir), { uidOf: peerUid(libc), admits }),
    onTrouble: (error) => log.trouble(`services of other users cannot ask for children: ${messageOf(error)}`),
  });
}

/** Runs what follows the state without feeding back into it: the store and the live view. */
function follow(parts: Parts, loop: Loop, companions: Companions): Observable<never> {
  const { options, server, sockets, capture, watching, log, libc } = parts;
  const { derived, read } = loop;
  const { records, events, measured, snapshot } = companions;
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
  const upgraded$ = upgrades({ parts, loop, companions });
  const closed$ = derived.service$.pipe(
    tap(({ id, service }) => sockets.follow(id, service)),
    tap(({ id, service }) => capture.follow(id, service)),
    ignoreElements(),
  );
  return merge(
    keep(derived, records),
    rememberClosing(derived.state$, options),
    untilStarted(derived.state$, options),
    events.run$,
    answered$,
    upgraded$,
    closed$,
    options.sys ? merge(keepCgroups(derived.service$), spawnSocket(parts, loop)) : EMPTY,
    measured.run$,
    idleCollection(derived.step$, ownMemory(libc)).pipe(
      guarded('memory', { onError: complain(log), pause: QUIET_MS }),
    ),
  );
}

/** Keeps the supervisor reachable and its records on disk, even if its files are removed. */
function stay(
  { options, server, place, capture }: Parts,
  hold: Hold,
  records: RecordWriters,
): Observable<never> {
  const reachable = {
    mend: async (): Promise<void> => {
      await mendSocketPlace(place);
      await server.mend();
    },
  };
  return selfRepair({
    hold,
    server: reachable,
    renew() {
      capture.mend();
      holdReserve(layoutOf(options.dataDir).reserve);
    },
    isRecordLost: () => isRecordLost(records),
    mended() {
      const again$ = defer(() => prepareSocketPlace(place));
      return again$.pipe(switchMap(() => keepNow(records, projectsIn(records.read()))));
    },
  });
}

/** Starts the store first: a stop is recorded before the process is signalled. */
const begin = (parts: Parts, loop: Loop, companions: Companions): Life =>
  lifeOf({
    parts: { 'store, views': follow(parts, loop, companions), loop: connect(parts, loop, companions) },
    quit$: loop.derived.quit$,
    onError: complain(parts.log),
  });

const saveLast = async (records: RecordWriters, { log, options }: Parts): Promise<void> => {
  makeRoom(options);
  const saved$ = keepLast(records, projectsIn(records.read()));
  await lastValueFrom(saved$, { defaultValue: undefined }).catch((error: unknown) =>
    log.trouble(`the last state is not saved: ${String(error)}`),
  );
  restoreReserve(layoutOf(options.dataDir).reserve);
};

/** How long the end waits for a disk that hangs, ms. */
const DISK_MS = 5_000;
const LOOK_MS = 10;

/** Waits for slots and answers: the next supervisor needs the active slot, and no later write records it. */
const allKept = async ({ slots, tally }: Parts): Promise<void> => {
  const until = performance.now() + DISK_MS;
  while (slots.count + tally.count > 0 && performance.now() < until) await pause(LOOK_MS);
};

/** Flushes the logs before the console shows them to the last line. */
const lastWords = async (
  { options, capture }: Parts,
  { events, measured, screen }: Companions,
): Promise<void> => {
  await endCommands(options.dataDir);
  await capture.close();
  await screen?.close();
  await events.close();
  await measured.flush();
};

/** Returns the first event of a new process, or of a re-execution that may have been about to end. */
const beganAnew = async (options: SupervisorOptions): Promise<First> => {
  const closing = closingBefore(options);
  const shutDown = closing === undefined && wasShutDown(options);
  return {
    ...(await firstEvent(options)),
    ...(closing && { closing }),
    ...(shutDown && { shutDown: true as const }),
  };
};

const atLeisure = ({ processes }: Parts): void => {
  processes.means();
  refuseDebugger(process);
};

/** Called just before the exit: from now on signals are only noted and do not hasten it. */
const letGo = (subscription: Subscription): void => {
  hearEarly(process);
  subscription.unsubscribe();
};

/** Runs until told to end and all has stopped, or until a part fails. Resolves to the exit status. */
export const runSupervisor = async (options: SupervisorOptions, hold: Hold): Promise<ExitStatus> => {
  const { arrival } = options;
  const first: First = arrival === undefined ? await beganAnew(options) : continuedEvent(options, arrival);
  const parts = await assemble(options, first.settings);
  const { log, server } = parts;
  const complainOf = (name: string) => (error: unknown) => complain(log)(name, error);
  [...first.warnings, ...(first.said ?? [])].forEach(log.warn);
  const loop = loopOf(wallClock, { ...stateFor(options), ...arrival?.handover.taken });
  const shown = await consoleFor(options, process.stdout);
  const companions = companionsOf(parts, loop, shown);
  const { records } = companions;
  const early = loop.hold();
  const { end, subscription } = begin(parts, loop, companions);
  subscription.add(shown?.follow(loop.derived.service$).subscribe({ error: complainOf('console') }));
  await goOn({ parts, loop, companions, early }, first);
  onUncaught(reExecuting(parts, loop, companions));
  reportCrash(parts, companions);
  keepProgramSoon(parts);
  // Done now, so that the first start does not wait for it.
  setImmediate(() => atLeisure(parts));
  subscription.add(stay(parts, hold, records).subscribe({ error: complainOf('presence') }));
  const closeMetrics = await serveMetrics(parts, companions);
  if (arrival === undefined && !isReExecuted()) startsOf(options).forEach(loop.post);
  const ended = await end;
  if (ended.tag === 'broken') {
    subscription.unsubscribe();
    await log.close();
    return EXIT.broken;
  }

  await companions.hooks.over;
  await Promise.all([saveLast(records, parts), allKept(parts)]);
  await closeMetrics();
  await server.close();
  letGo(subscription);
  await lastWords(parts, companions);
  hold.release();
  await log.close();
  return lastStatus(ended.verdict);
};
