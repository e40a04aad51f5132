// Follows the services of every project into the records of their projects, so that the next supervisor can go on where
// this one ended, however it ended (`docs/behaviour.md`, "Saved state").
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
import { holdReserve } from '../../os/files/reserve.ts';
import type { ProjectId } from '../../streams/domain/ids.ts';
import type { Work } from '../../streams/operators/one-at-a-time.ts';
import { layoutOf } from '../../streams/wire/layout.ts';
import type { ProjectSnapshot } from '../../streams/wire/stored.ts';
import type { ProjectRecord } from './project-record.ts';
import { ProjectRecords, type Change, type RecordPorts, type ServicesOf } from './project-records.ts';

export interface StateWriter {
  /** Writes what changes, within moments, and at once the number of a run, who runs from now on, and who was asked to end. Never ends by itself, never fails. */
  follow(change$: Observable<Change>, servicesOf: ServicesOf): Observable<never>;
  /** Writes when it is subscribed to. Emits once, when the snapshot is on disk; fails when it cannot be. */
  readonly flush: Work<ProjectSnapshot, unknown>;
  /** The same in one file, for a time without a writer. */
  readonly conclude: Work<ProjectSnapshot, unknown>;
  /** The record of this project was written, and somebody has removed it. */
  readonly isLost: (project: ProjectId) => boolean;
  /** What cannot be kept at the moment, and why: a sentence each. */
  readonly troubles: () => readonly string[];
}

/** Changes of so many milliseconds are written together. */
const BURST_MS = 10;
/** What was written is brought to disk this often, in milliseconds; what a person asked for at once. */
const SYNC_MS = 1_000;
const RETRY_MS = 500;

/** Again and again, until nothing waits any more. Emits after each attempt. */
function retries(write: () => boolean): Observable<boolean> {
  return timer(RETRY_MS).pipe(
    map(write),
    switchMap((done) => (done ? of(done) : concat(of(done), retries(write)))),
  );
}

/** Writes what waits whenever some of it is due, and what could not be written some time later. Emits after each attempt. */
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

/** Completes when this is done, or was complained of. */
function seenTo(
  records: ProjectRecords,
  record: ProjectRecord,
  work$: Observable<unknown>,
): Observable<never> {
  return work$.pipe(
    tap({ complete: () => records.synced(record.project) }),
    ignoreElements(),
    catchError((error: unknown) => {
      records.complain(record.project, error);
      return EMPTY;
    }),
  );
}

function syncing(records: ProjectRecords, reserve: string): Observable<unknown> {
  // What was given up for a start on a full disk is laid down again as soon as there is space.
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
