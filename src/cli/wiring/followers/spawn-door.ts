// The door for services of other users stands open from when the first of them is declared that may ask for children.
import { catchError, EMPTY, filter, from, ignoreElements, switchMap, take, type Observable } from 'rxjs';
import type { ServiceChange } from '../../../streams/kernel/derived/derived.ts';

interface DoorPorts {
  readonly open: () => Promise<void>;
  readonly onTrouble: (error: unknown) => void;
}

const asksFromOutside = ({ service }: ServiceChange): boolean => {
  const { spawn, privilege } = service?.revised ?? service?.spec ?? {};
  return spawn?.mode === 'dynamic' && privilege?.user !== undefined;
};

export const spawnDoor = (
  service$: Observable<ServiceChange>,
  { open, onTrouble }: DoorPorts,
): Observable<never> =>
  service$.pipe(
    filter(asksFromOutside),
    take(1),
    switchMap(() => from(open())),
    catchError((error: unknown) => {
      onTrouble(error);
      return EMPTY;
    }),
    ignoreElements(),
  );
