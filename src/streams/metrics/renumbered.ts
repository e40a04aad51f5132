// Who has other numbers than a viewer was told: while it is sampled whose numbers moved (`refreshing`), and when that is
// switched off everybody who runs, once: nobody has any then. Switched on again, all are told with the first beat.
import { distinctUntilChanged, from, switchMap, type Observable } from 'rxjs';
import type { ServiceId } from '../domain/ids.ts';
import type { Ms } from '../domain/time.ts';
import { refreshing } from './refreshing.ts';
import type { Beat } from './sample.ts';

interface RenumberedPorts {
  readonly beat$: Observable<Beat>;
  /** How often viewers are told. */
  readonly interval: () => Ms;
  readonly running: () => readonly ServiceId[];
}

/** `off$`: whether nothing is sampled, as it is and as it becomes; the same may be said again. */
export function renumbered(
  off$: Observable<boolean>,
  { beat$, interval, running }: RenumberedPorts,
): Observable<ServiceId> {
  return off$.pipe(
    distinctUntilChanged(),
    switchMap((isOff) => (isOff ? from(running()) : refreshing(beat$, interval))),
  );
}
