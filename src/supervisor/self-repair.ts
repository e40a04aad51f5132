// Restores removed files of the supervisor, so that it stays reachable and remains the only supervisor of its
// data directory (`docs/behaviour.md`, "One supervisor").
import {
  catchError,
  defer,
  EMPTY,
  exhaustMap,
  from,
  ignoreElements,
  switchMap,
  timer,
  type Observable,
} from 'rxjs';
import type { Hold } from '../sources/store/directory-hold.ts';
import type { ControlServer } from '../streams/wire/control-ports.ts';
import { isRecordLost, keepNow, projectsIn } from './followers/state-records.ts';
import { mendSocketPlace, prepareSocketPlace } from '../sources/control/socket-place.ts';
import { holdReserve } from '../os/files/disk-reserve.ts';
import { layoutOf } from '../streams/wire/layout.ts';
import type { Deps } from './deps.ts';

interface RepairPorts {
  readonly hold: Pick<Hold, 'mend'>;
  readonly server: Pick<ControlServer, 'mend'>;
  /** Creates files again that were removed and that only the next supervisor needs. */
  renew(): void;
  /** True if a file with recorded state or the list of manifests was removed from the disk. */
  readonly isRecordLost: () => boolean;
  /** Writes the state and the list of manifests again after they were removed. */
  mended(): Observable<unknown>;
}

const PAUSE_MS = 1_000;

function repairOnce(ports: RepairPorts): Observable<unknown> {
  return from(ports.hold.mend()).pipe(
    switchMap(async (lost) => {
      ports.renew();
      await ports.server.mend();
      return lost;
    }),
    switchMap((lost) => (lost || ports.isRecordLost() ? ports.mended() : EMPTY)),
    // If the repair fails, the next check tries again.
    catchError(() => EMPTY),
  );
}

/** While subscribed, checks the supervisor's files once a second and creates removed ones again. */
export function selfRepair(ports: RepairPorts): Observable<never> {
  return timer(PAUSE_MS, PAUSE_MS).pipe(
    exhaustMap(() => repairOnce(ports)),
    ignoreElements(),
  );
}

/** Keeps the supervisor reachable and its records on disk, even if their files are removed. Never emits. */
export function keepReachable(deps: Deps, hold: Hold): Observable<never> {
  const { options, server, place, capture, records } = deps;
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
