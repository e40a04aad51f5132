// Writes the services of every project to the project's record (`docs/behaviour.md`, "Saved state"). The next
// supervisor continues from the records, even if this supervisor is killed.
import {
  auditTime,
  catchError,
  concat,
  connect,
  defer,
  EMPTY,
  exhaustMap,
  filter,
  ignoreElements,
  map,
  merge,
  mergeMap,
  of,
  share,
  switchMap,
  tap,
  throttle,
  timer,
  type Observable,
} from 'rxjs';
import { holdReserve } from '../../os/files/disk-reserve.ts';
import type { ProjectId } from '../../streams/domain/ids.ts';
import type { Work } from '../../streams/operators/one-at-a-time.ts';
import { layoutOf } from '../../streams/wire/layout.ts';
import type { ProjectSnapshot } from '../../streams/wire/state-files.ts';
import type { ProjectRecord } from './project-record.ts';
import { ProjectRecords, type RecordChange, type RecordPorts, type ServicesOf } from './project-records.ts';

export interface StateWriter {
  /**
   * Writes changes to the records: run numbers, new pids and sent stop signals at once, all other changes
   * within 10 ms. Never fails.
   */
  follow(change$: Observable<RecordChange>, servicesOf: ServicesOf): Observable<never>;
  /** Writes the snapshot on subscription. Emits once, when the snapshot is on disk, or fails. */
  readonly flush: Work<ProjectSnapshot, unknown>;
  /** Like `flush`, but writes one file without a journal. Used when a supervisor ends, or when none runs. */
  readonly conclude: Work<ProjectSnapshot, unknown>;
  /** True if the project's record was written and later deleted. */
  readonly isLost: (project: ProjectId) => boolean;
  /** Returns a sentence for each project that cannot be saved at the moment, with the reason. */
  readonly troubles: () => readonly string[];
}

/** How long changes are collected before they are written together, ms. */
const BURST_MS = 10;
/**
 * The interval at which written data is synced to disk, ms. A snapshot that `flush` writes is synced at once.
 */
const SYNC_MS = 1_000;
const RETRY_MS = 500;

/** Calls `write` at intervals until it returns true. Emits after each call. */
function retries(write: () => boolean): Observable<boolean> {
  return timer(RETRY_MS).pipe(
    map(write),
    switchMap((done) => (done ? of(done) : concat(of(done), retries(write)))),
  );
}

/** Writes pending changes when `due$` emits, and retries failures later. Emits after each attempt. */
function attempts(
  due$: Observable<unknown>,
  records: ProjectRecords,
  servicesOf: ServicesOf,
): Observable<boolean> {
  return due$.pipe(
    map(() => records.writeWaiting(servicesOf)),
    connect((written$) =>
      merge(
        written$,
        written$.pipe(
          filter((done) => !done),
          exhaustMap(() => retries(() => records.writeWaiting(servicesOf, true))),
        ),
      ),
    ),
  );
}

/** Does the work and reports its error. Completes when the work is done or has failed. */
function seenTo(
  records: ProjectRecords,
  record: ProjectRecord,
  work$: Observable<unknown>,
): Observable<never> {
  return work$.pipe(
    tap({ complete: () => records.synced(record.project) }),
    ignoreElements(),
    catchError((error: unknown) => {
      records.reportOnce(record.project, error);
      return EMPTY;
    }),
  );
}

function syncing(records: ProjectRecords, reserve: string): Observable<unknown> {
  // If the disk is full, a supervisor removes the reserve file when it starts. This call creates the file
  // again as soon as there is space.
  holdReserve(reserve);
  const synced$ = defer(() => merge(...records.all().map((one) => seenTo(records, one, one.synced$))));
  return concat(synced$, timer(SYNC_MS));
}

function renewing(records: ProjectRecords): Observable<never> {
  const long = records.all().filter(({ isLong }) => isLong);
  return merge(...long.map((one) => seenTo(records, one, one.renewed$)));
}

export const stateWriter = (ports: RecordPorts): StateWriter => {
  const records = new ProjectRecords(ports);
  const { reserve } = layoutOf(ports.dataDir);
  const writer: StateWriter = {
    follow(change$, servicesOf) {
      const due$ = change$.pipe(
        map((change) => records.take(change)),
        connect((urgent$) => merge(urgent$.pipe(filter(Boolean)), urgent$.pipe(auditTime(BURST_MS)))),
      );
      const written$ = attempts(due$, records, servicesOf).pipe(share());
      return merge(
        written$.pipe(throttle(() => syncing(records, reserve), { leading: true, trailing: true })),
        written$.pipe(mergeMap(() => renewing(records))),
      ).pipe(ignoreElements());
    },
    flush(snapshot) {
      return defer(() => records.write(snapshot).synced$);
    },
    conclude(snapshot) {
      const record = records.of(snapshot.project);
      return record.settled$.pipe(map(() => record.conclude(snapshot.services)));
    },
    isLost: (project) => records.isLost(project),
    troubles: () => records.troubles(),
  };
  return writer;
};
