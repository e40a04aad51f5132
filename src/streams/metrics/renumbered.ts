// Emits the services for which a viewer needs new numbers. While sampling is on, these are the services with
// changed numbers (`refreshing`). When it is switched off, it emits every running service once, since their
// numbers disappear.
import { distinctUntilChanged, from, switchMap, type Observable } from 'rxjs';
import type { ServiceId } from '../domain/ids.ts';
import type { Ms } from '../domain/time.ts';
import { refreshing } from './refreshing.ts';
import type { Beat } from './sample.ts';

interface RenumberedPorts {
  readonly beat$: Observable<Beat>;
  /** How often viewers are notified. */
  readonly interval: () => Ms;
  readonly running: () => readonly ServiceId[];
}

/**
 * Emits services with changed numbers. `off$` emits whether sampling is off, at first and on changes;
 * repetitions are ignored.
 */
export function renumbered(
  off$: Observable<boolean>,
  { beat$, interval, running }: RenumberedPorts,
): Observable<ServiceId> {
  return off$.pipe(
    distinctUntilChanged(),
    switchMap((isOff) => (isOff ? from(running()) : refreshing(beat$, interval))),
  );
}
