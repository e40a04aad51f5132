// The door for services of other users stands open from when the first of them is declared that may ask for children.
import { catchError, EMPTY, filter, from, ignoreElements, switchMap, take, type Observable } from 'rxjs';
import type { ServiceChange } from '../../../streams/kernel/derived/derived.ts';

interface DoorPorts {
  open(): Promise<void>;
  readonly onTrouble: (error: unknown) => void;
}

const asksFromOutside = ({ service }: ServiceChange): boolean => {
  const { spawn, privilege } = service?.revised ?? service?.spec ?? {};
  return spawn?.mode === 'dynamic' && privilege?.user !== undefined;
};

/** Opens once, when the first of them is declared. What keeps it from that is told to `onTrouble`; it never fails. */
export function spawnDoor(service$: Observable<ServiceChange>, ports: DoorPorts): Observable<never> {
  return service$.pipe(
    filter(asksFromOutside),
    take(1),
    switchMap(() => from(ports.open())),
    catchError((error: unknown) => {
      ports.onTrouble(error);
      return EMPTY;
    }),
    ignoreElements(),
  );
}
