// `blue_green.state_path`: the active slot on a line of its own, for others to read. Atomic, made with its directory. What
// the supervisor itself relies on is in its state.
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
import { messageOf } from '../../streams/domain/errors/thrown.ts';
import { replaceFileAsync } from '../../os/files/replace-file.ts';
import { counted, type Tally } from '../../streams/operators/counted.ts';
import type { Sink } from '../../streams/domain/ports.ts';

interface SlotPorts {
  readonly onTrouble: (text: string) => void;
  /** What is being written: nobody would write it again. */
  readonly slots?: Tally;
}

type Keep = EffectOf<'keep-slot'>;

const RETRY_MS = 500;

/** Tells what is in its file by now. */
export const slotWriter =
  ({ onTrouble, slots = { count: 0 } }: SlotPorts): Sink<'keep-slot'> =>
  (effect$) =>
    effect$.pipe(
      groupBy(({ path }) => path),
      mergeMap((path$) => keptIn(path$, { onTrouble, slots })),
    );

/** One file, one write after the other: what fails is said once and tried again, unless there is something newer. */
function keptIn(
  path$: GroupedObservable<string, Keep>,
  { onTrouble, slots }: Required<SlotPorts>,
): Observable<Event> {
  return defer(() => {
    let newest: Keep | undefined;
    let troubled = false;
    function again(keep: Keep, error: unknown): Observable<unknown> {
      const { service, path } = keep;
      const text = `the slot of ${service} cannot be kept in ${path} (${messageOf(error)}); it is tried again`;
      if (!troubled) onTrouble(text);
      troubled = true;
      return keep === newest ? timer(RETRY_MS).pipe(takeUntil(path$.pipe(endWith(undefined)))) : EMPTY;
    }
    return path$.pipe(
      tap((keep) => (newest = keep)),
      concatMap((keep) =>
        written(keep, slots).pipe(
          tap(() => (troubled = false)),
          retry({ delay: (error: unknown) => again(keep, error) }),
        ),
      ),
    );
  });
}

function written({ service, path, slot }: Keep, slots: Tally): Observable<Event> {
  return defer(() =>
    counted(slots, from(replaceFileAsync(path, `${slot}\n`))).pipe(
      map((): Event => ({ type: 'slot-kept', service, slot })),
    ),
  );
}
