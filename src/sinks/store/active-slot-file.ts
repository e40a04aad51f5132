// Writes `blue_green.state_path`: a file with the name of the active slot, for other programs. It is replaced
// atomically, and its directory created if necessary. The supervisor itself never reads it.
import {
  defer,
  EMPTY,
  endWith,
  from,
  groupBy,
  map,
  concatMap,
  mergeMap,
  retry,
  takeUntil,
  tap,
  timer,
} from 'rxjs';
import type { GroupedObservable, Observable } from 'rxjs';
import type { EffectOf } from '../../streams/domain/effect.ts';
import type { Event } from '../../streams/domain/event.ts';
import { shownId, type ServiceId } from '../../streams/domain/ids.ts';
import { messageOf } from '../../streams/domain/errors/thrown.ts';
import { replaceFileAsync } from '../../os/files/replace-file.ts';
import { makeSafeDirectory } from '../../os/files/trusted-directories.ts';
import { counted, type Tally } from '../../streams/operators/counted.ts';
import type { Sink } from '../../streams/domain/ports.ts';

/**
 * The number of pending writes, which an upgrade waits for. `troubles`: why the active slot of a service
 * could not be written to its file.
 */
export interface SlotFiles extends Tally {
  readonly troubles: Map<ServiceId, string>;
}

interface SlotPorts {
  readonly logError: (text: string) => void;
  readonly slots?: SlotFiles;
}

type Keep = EffectOf<'keep-slot'>;

const RETRY_MS = 500;

export const slotFiles = (): SlotFiles => ({ count: 0, troubles: new Map() });

/** Writes slots. Emits an event for each slot that was written. */
export const slotWriter =
  ({ logError, slots = slotFiles() }: SlotPorts): Sink<'keep-slot'> =>
  (effect$) =>
    effect$.pipe(
      groupBy(({ service }) => service),
      mergeMap((keep$) => keptOf(keep$, { logError, slots })),
    );

/**
 * Writes the slots of one service in order. A failed write is reported once and retried, unless a newer slot
 * is waiting.
 */
function keptOf(
  keep$: GroupedObservable<ServiceId, Keep>,
  { logError, slots }: Required<SlotPorts>,
): Observable<Event> {
  return defer(() => {
    let newest: Keep | undefined;
    function again(keep: Keep, error: unknown): Observable<unknown> {
      const { service, path } = keep;
      const text = `the slot of ${shownId(service)} cannot be kept in ${path} (${messageOf(error)}); it is tried again`;
      if (!slots.troubles.has(service)) logError(text);
      slots.troubles.set(service, text);
      return keep === newest ? timer(RETRY_MS).pipe(takeUntil(keep$.pipe(endWith(undefined)))) : EMPTY;
    }
    return keep$.pipe(
      tap((keep) => (newest = keep)),
      concatMap((keep) =>
        written(keep, slots).pipe(
          tap(() => slots.troubles.delete(keep.service)),
          retry({ delay: (error: unknown) => again(keep, error) }),
        ),
      ),
    );
  });
}

const keepIn = async (path: string, slot: string): Promise<void> => {
  await makeSafeDirectory(path);
  await replaceFileAsync(path, `${slot}\n`);
};

function written({ service, path, slot }: Keep, slots: Tally): Observable<Event> {
  return defer(() =>
    counted(slots, from(keepIn(path, slot))).pipe(map((): Event => ({ type: 'slot-kept', service, slot }))),
  );
}
