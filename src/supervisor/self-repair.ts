// Keeps the supervisor the only one of its directory, and reachable, whatever happens to its files: it
// restores those that were removed (`docs/behaviour.md`, "One supervisor").
import { catchError, EMPTY, exhaustMap, from, ignoreElements, switchMap, timer, type Observable } from 'rxjs';
import type { Hold } from '../sources/store/directory-hold.ts';
import type { ControlServer } from '../streams/wire/control-ports.ts';

interface RepairPorts {
  readonly hold: Pick<Hold, 'mend'>;
  readonly server: Pick<ControlServer, 'mend'>;
  /** Restores files that only the next supervisor needs. */
  renew(): void;
  /** True if recorded files were removed. */
  readonly isRecordLost: () => boolean;
  /** Writes again what was lost, with the directory or by itself. */
  mended(): Observable<unknown>;
}

const PAUSE_MS = 1_000;

function look(ports: RepairPorts): Observable<unknown> {
  return from(ports.hold.mend()).pipe(
    switchMap(async (lost) => {
      ports.renew();
      await ports.server.mend();
      return lost;
    }),
    switchMap((lost) => (lost || ports.isRecordLost() ? ports.mended() : EMPTY)),
    // The next look tries again.
    catchError(() => EMPTY),
  );
}

/** Looks once a second while it is subscribed. */
export function selfRepair(ports: RepairPorts): Observable<never> {
  return timer(PAUSE_MS, PAUSE_MS).pipe(
    exhaustMap(() => look(ports)),
    ignoreElements(),
  );
}
