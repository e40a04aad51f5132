// The spawn socket opens when the first service is declared that may ask for children and cannot use the control socket. From
// then on it admits the uids of such services, as this machine knows their accounts.
import {
  catchError,
  concatMap,
  defer,
  distinctUntilChanged,
  EMPTY,
  filter,
  from,
  ignoreElements,
  map,
  scan,
  type Observable,
} from 'rxjs';
import type { ServiceSpec } from '../../../streams/domain/declared/spec.ts';
import type { ServiceId } from '../../../streams/domain/ids.ts';
import { mayNotCommand } from '../../../streams/launch/confined.ts';
import type { ServiceChange } from '../../../streams/kernel/derived/derived.ts';

interface DoorPorts {
  /** The supervisor's uid: that of a service without `user`. */
  readonly own: number;
  /** `undefined`: this machine has no such account. */
  readonly uidOf: (user: string) => Promise<number | undefined>;
  readonly open: (admits: (uid: number) => boolean) => Promise<void>;
  readonly onTrouble: (error: unknown) => void;
}

/** A user, `undefined` for the supervisor's own, and the run that is there: with each run its account is looked up. */
interface Asking {
  readonly user: string | undefined;
  readonly run: number;
}

type Askers = ReadonlyMap<ServiceId, Asking>;

/** It cannot reach the control socket: it has another user, or the data directory is hidden from it. */
const isKeptOut = (spec: ServiceSpec): boolean =>
  spec.privilege.user !== undefined || mayNotCommand(spec, { uid: 0 });

const askingOf = ({ service }: ServiceChange): Asking | undefined => {
  const spec = service?.revised ?? service?.spec;
  if (spec?.spawn.mode !== 'dynamic' || !isKeptOut(spec)) return undefined;
  return { user: spec.privilege.user, run: service?.runs ?? 0 };
};

const after = (askers: Askers, change: ServiceChange): Askers => {
  const [before, now] = [askers.get(change.id), askingOf(change)];
  if (
    before?.user === now?.user &&
    before?.run === now?.run &&
    (before === undefined) === (now === undefined)
  )
    return askers;
  const next = new Map(askers);
  if (now === undefined) next.delete(change.id);
  else next.set(change.id, now);
  return next;
};

const NONE: Askers = new Map();

const uidsOf = async (askers: Askers, { own, uidOf, onTrouble }: DoorPorts): Promise<ReadonlySet<number>> => {
  const users = new Set([...askers.values()].map(({ user }) => user));
  const uids = await Promise.all(
    [...users].map((user) =>
      user === undefined
        ? own
        : uidOf(user).catch((error: unknown) => {
            onTrouble(error);
            return undefined;
          }),
    ),
  );
  return new Set(uids.flatMap((uid) => uid ?? []));
};

/** Opens once, and follows the declarations from then on. Failures go to `onTrouble`; it never fails. */
export function spawnDoor(service$: Observable<ServiceChange>, ports: DoorPorts): Observable<never> {
  return defer(() => {
    let admitted: ReadonlySet<number> = new Set();
    let isOpen = false;
    const admit = async (askers: Askers): Promise<void> => {
      admitted = await uidsOf(askers, ports);
      if (isOpen) return;
      isOpen = true;
      await ports.open((uid) => admitted.has(uid));
    };
    return service$.pipe(
      scan(after, NONE),
      distinctUntilChanged(),
      filter((askers) => askers.size > 0 || isOpen),
      concatMap((askers) => from(admit(askers)).pipe(map(() => askers))),
      catchError((error: unknown) => {
        ports.onTrouble(error);
        return EMPTY;
      }),
      ignoreElements(),
    );
  });
}
