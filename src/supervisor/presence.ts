// The supervisor stays the one supervisor of its directory, and within reach, whatever becomes of its files: what is gone
// is made again (`docs/behaviour.md`, "One supervisor").
import { catchError, EMPTY, exhaustMap, from, ignoreElements, switchMap, timer, type Observable } from 'rxjs';
import type { Hold } from '../sources/store/hold.ts';
import type { ControlServer } from '../streams/wire/ports.ts';

interface PresencePorts {
  readonly hold: Pick<Hold, 'mend'>;
  readonly server: Pick<ControlServer, 'mend'>;
  /** Files that only the next supervisor needs are made again if they are gone. */
  renew(): void;
  /** Somebody has removed what was recorded. */
  readonly isRecordLost: () => boolean;
  /** What was lost, with the directory or by itself, is written again. */
  mended(): Observable<unknown>;
}

const PAUSE_MS = 1_000;

function look(ports: PresencePorts): Observable<unknown> {
  return from(ports.hold.mend()).pipe(
    switchMap(async (lost) => {
      ports.renew();
      await ports.server.mend();
      return lost;
    }),
    switchMap((lost) => (lost || ports.isRecordLost() ? ports.mended() : EMPTY)),
    // What cannot be made again now is tried again.
    catchError(() => EMPTY),
  );
}

/** Looks once a second, for as long as it is subscribed. */
export function presence(ports: PresencePorts): Observable<never> {
  return timer(PAUSE_MS, PAUSE_MS).pipe(
    exhaustMap(() => look(ports)),
    ignoreElements(),
  );
}
