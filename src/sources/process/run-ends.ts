// Observes the end of a run: the exit of its leader, and which processes of its tree are alive. If the kernel
// lets this process wait for the leader, the exit ledger reports the exit. Any other leader is polled; its
// exit status is unknown, which is never success.
//
// Rules: `docs/behaviour.md`, "Stopping", "Verification"; `docs/behaviour.md`, "Who belongs to a run";
// `docs/behaviour.md`, "Adoption".
import {
  catchError,
  concatMap,
  defer,
  EMPTY,
  expand,
  filter,
  from,
  map,
  type Observable,
  of,
  race,
  retry,
  switchMap,
  take,
  tap,
  timer,
} from 'rxjs';
import { cgroupMembers, wasOutOfMemory } from '../../os/proc/cgroup-files.ts';
import { nameOfProcess } from '../../os/proc/process-facts.ts';
import { isOver, statOfProcess, statReader } from '../../os/proc/process-stat.ts';
import type { Daemon } from '../../streams/domain/errors/error.ts';
import type { Event } from '../../streams/domain/event.ts';
import type { Capture, ProcessScanner, ExitLedger, PortWitness, Source } from '../../streams/domain/ports.ts';
import type { ExitStatus } from '../../streams/domain/service/exit-status.ts';
import type { ProcessRef } from '../../streams/domain/service/process.ts';
import type { TreeWatch } from '../../streams/domain/watch.ts';
import { portInUse } from '../../streams/output/address-in-use.ts';

const POLL_MS = 200;

export const exits =
  (ports: { readonly ledger: ExitLedger }): Source<'exit'> =>
  ({ service, run, process, cgroup }) =>
    defer(() => ports.ledger.exitOf(process) ?? polled(process)).pipe(
      tap(() => ports.ledger.forget(process)),
      map(explainedBy(cgroup)),
      map((status) => ({ type: 'exited', service, run, status })),
    );

/** Returns a function that adds an out-of-memory kill, as the cgroup records it, to an exit status. */
const explainedBy =
  (cgroup: string | undefined) =>
  (status: ExitStatus): ExitStatus =>
    cgroup !== undefined && wasOutOfMemory(cgroup) ? { ...status, outOfMemory: true } : status;

function polled(process: ProcessRef): Observable<ExitStatus> {
  const stat = statReader();
  return timer(0, POLL_MS).pipe(
    filter(() => isOver(process, stat(process.pid))),
    // If the process table cannot be read, try again later.
    retry({ delay: POLL_MS }),
    take(1),
    map(() => ({ tag: 'unknown' })),
  );
}

export interface TreePorts {
  readonly scanner: ProcessScanner;
  readonly capture: Pick<Capture, 'drained' | 'tail'>;
  readonly witness: Pick<PortWitness, 'strangerAt'>;
}

const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 200;
/** Maximum wait for the last output after the last process of the run has exited, ms. */
const DRAIN_MS = 200;
const EVIDENCE_LINES = 40;

interface Sight extends Living {
  readonly changed: boolean;
  /** Pause before the next scan of the process tree, ms. */
  readonly pause: number;
}

interface Living {
  readonly alive: readonly ProcessRef[];
  /**
   * The processes in the cgroup of the run after its process tree has ended. They may not belong to the run.
   */
  readonly unproven: readonly ProcessRef[];
}

const isEmpty = ({ alive, unproven }: Living): boolean => alive.length === 0 && unproven.length === 0;

export const tree =
  (ports: TreePorts): Source<'tree'> =>
  (watch) =>
    scans(ports, watch).pipe(
      filter(({ changed }) => changed),
      concatMap((sight) => (isEmpty(sight) ? emptied(ports, watch) : of(inhabited(watch, sight)))),
    );

function scans(ports: TreePorts, watch: TreeWatch): Observable<Sight> {
  return scan(ports, watch).pipe(
    map((living) => ({ ...living, changed: true, pause: FIRST_PAUSE_MS })),
    expand((last) => (isEmpty(last) ? EMPTY : scanAgain(ports, watch, last))),
  );
}

function scanAgain(ports: TreePorts, watch: TreeWatch, last: Sight): Observable<Sight> {
  return timer(last.pause).pipe(
    switchMap(() => scan(ports, watch)),
    map((living) => next(last, living)),
  );
}

const next = (last: Sight, living: Living): Sight => ({
  ...living,
  changed: keyOf(living) !== keyOf(last),
  pause: Math.min(last.pause * 2, LONGEST_PAUSE_MS),
});

const namesOf = (refs: readonly ProcessRef[]): readonly string[] =>
  refs.map(({ pid, startTicks }) => `${pid}:${startTicks}`).sort();

const keyOf = ({ alive, unproven }: Living): string => `${namesOf(alive).join()} ${namesOf(unproven).join()}`;

/**
 * Scans the tree. If the scan finds no process, scans a second time when the last output of the run has
 * arrived, because a process that forks and exits during one scan can be missed.
 */
function scan({ scanner, capture }: TreePorts, watch: TreeWatch): Observable<Living> {
  const members$ = scanner.membersOf(watch.service, watch.run, watch.process).pipe(
    // If the process table cannot be read, no process counts as ended, and the scan is repeated.
    retry({ delay: LONGEST_PAUSE_MS }),
  );
  const confirmed$ = drained(capture, watch).pipe(switchMap(() => members$));
  return members$.pipe(
    switchMap((alive) => (alive.length === 0 ? confirmed$ : of(alive))),
    map((alive) => ({ alive, unproven: alive.length === 0 ? cgroupMembers(watch.cgroup) : [] })),
  );
}

function drained(capture: TreePorts['capture'], { service, fifoPair }: TreeWatch): Observable<unknown> {
  if (fifoPair === undefined) return of(undefined);
  const drained$ = capture.drained(service, fifoPair).pipe(catchError(() => of(undefined)));
  return race(drained$, timer(DRAIN_MS));
}

/** Returns the members that have left the session of the run, as daemons do. */
const elsewhereOf = ({ process }: TreeWatch, alive: readonly ProcessRef[]): readonly Daemon[] =>
  alive
    .filter((member) => (statOfProcess(member)?.session ?? process.pid) !== process.pid)
    .map(({ pid }) => ({ pid, name: nameOfProcess(pid) ?? 'a process' }));

const inhabited = (watch: TreeWatch, { alive, unproven }: Living): Event => {
  const elsewhere = elsewhereOf(watch, alive);
  return {
    type: 'surveyed',
    service: watch.service,
    run: watch.run,
    alive,
    evidence: [],
    ...(unproven.length > 0 && { unproven }),
    ...(elsewhere.length > 0 && { elsewhere }),
  };
};

/**
 * Emits that the tree of a run has ended, with the last output of the run. If that output says that a port is
 * in use, the event also has the process that holds the port.
 */
function emptied({ capture, witness }: TreePorts, watch: TreeWatch): Observable<Event> {
  const { service, run, fifoPair } = watch;
  const evidence = fifoPair === undefined ? [] : capture.tail(service, EVIDENCE_LINES, fifoPair);
  const over: Event = { type: 'surveyed', service, run, alive: [], evidence };
  const port = portInUse(evidence);
  if (port === undefined) return of(over);
  return from(witness.strangerAt({ port }, watch)).pipe(
    map((taken) => ({ ...over, taken: taken ?? { port } })),
    catchError(() => of(over)),
  );
}
