// The door for services of other users stands open from when the first of them is declared that may ask for children.
import { catchError, EMPTY, filter, from, ignoreElements, switchMap, take, type Observable } from 'rxjs';
import { mayNotCommand } from '../../../streams/launch/confined.ts';
import type { ServiceChange } from '../../../streams/kernel/derived/derived.ts';

interface DoorPorts {
  open(): Promise<void>;
  readonly onTrouble: (error: unknown) => void;
}

/** It may ask for children, and cannot reach the control socket: another user, or the data directory is hidden from it. */
const asksFromOutside = ({ service }: ServiceChange): boolean => {
  const spec = service?.revised ?? service?.spec;
  if (spec?.spawn.mode !== 'dynamic') return false;
  return spec.privilege.user !== undefined || mayNotCommand(spec, { uid: 0 });
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
