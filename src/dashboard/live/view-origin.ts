// Adds to each status whether it comes from a running supervisor or from the files that the supervisor has
// written. A supervisor that is lost usually answers again within moments, so pages keep the last live view
// for a while before they show the recorded status.
import { concat, EMPTY, map, type Observable, of, scan, type SchedulerLike, switchMap, timer } from 'rxjs';
import type { StatusDocument } from '../../streams/wire/documents/documents.ts';
import type { Learned } from './view-changes.ts';

/** How long pages keep the last live view after the supervisor is lost, ms. */
const RECONNECTING_MS = 3_000;

/** True for the status of a supervisor that answers. */
export const isLive = ({ supervisor }: StatusDocument): boolean => supervisor.version !== null;

type Origin = Extract<Learned, { readonly tag: 'status' }>;

interface Seen {
  readonly status?: StatusDocument;
  readonly wasLive: boolean;
}

const recorded = (status: StatusDocument): Origin => ({ tag: 'status', origin: 'recorded', status });

export function withOrigin(
  status$: Observable<StatusDocument>,
  scheduler?: SchedulerLike,
): Observable<Origin> {
  function lost(status: StatusDocument): Observable<Origin> {
    return concat(
      of<Origin>({ tag: 'status', origin: 'reconnecting' }),
      timer(RECONNECTING_MS, scheduler).pipe(map(() => recorded(status))),
    );
  }
  return status$.pipe(
    scan(
      ({ status: before }: Seen, status): Seen => ({
        status,
        wasLive: before !== undefined && isLive(before),
      }),
      { wasLive: false },
    ),
    switchMap(({ status, wasLive }) => {
      if (status === undefined) return EMPTY;
      if (isLive(status)) return of<Origin>({ tag: 'status', origin: 'connected', status });
      return wasLive ? lost(status) : of(recorded(status));
    }),
  );
}
