// `blue_green.state_path`: the active slot on a line of its own, for others to read. Atomic, made with its directory. What
// the supervisor itself relies on is in its state.
import { catchError, concatMap, EMPTY, from, ignoreElements } from 'rxjs';
import { messageOf } from '../../streams/domain/errors/thrown.ts';
import { replaceFileAsync } from '../../os/files/replace-file.ts';
import { counted, type Tally } from '../../streams/operators/counted.ts';
import type { Sink } from '../../streams/domain/ports.ts';

interface SlotPorts {
  readonly onTrouble: (text: string) => void;
  /** What is being written: nobody would write it again. */
  readonly slots?: Tally;
}

export const slotWriter =
  ({ onTrouble, slots = { count: 0 } }: SlotPorts): Sink<'keep-slot'> =>
  (effect$) =>
    effect$.pipe(
      concatMap(({ service, path, slot }) =>
        counted(slots, from(replaceFileAsync(path, `${slot}\n`))).pipe(
          ignoreElements(),
          catchError((error: unknown) => {
            onTrouble(`the slot of ${service} cannot be kept in ${path} (${messageOf(error)})`);
            return EMPTY;
          }),
        ),
      ),
    );
