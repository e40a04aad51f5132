// `blue_green.state_path`: the active slot on a line of its own, for others to read. Atomic, made with its directory. What
// the supervisor itself relies on is in its state.
import { catchError, concatMap, EMPTY, from, ignoreElements } from 'rxjs';
import { messageOf } from '../../streams/domain/errors/thrown.ts';
import { replaceFileAsync } from '../../os/files/replace-file.ts';
import type { Sink } from '../../streams/domain/ports.ts';

export const slotWriter =
  (ports: { readonly onTrouble: (text: string) => void }): Sink<'keep-slot'> =>
  (effect$) =>
    effect$.pipe(
      concatMap(({ service, path, slot }) =>
        from(replaceFileAsync(path, `${slot}\n`)).pipe(
          ignoreElements(),
          catchError((error: unknown) => {
            ports.onTrouble(`the slot of ${service} cannot be kept in ${path} (${messageOf(error)})`);
            return EMPTY;
          }),
        ),
      ),
    );
