// Opens the spawn socket as soon as a service may request children but cannot use the control socket. It then
// admits the uids of all such services.
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
import type { ServiceSpec } from '../../streams/domain/declared/spec.ts';
import type { Service } from '../../streams/domain/service/service.ts';
import type { ServiceId } from '../../streams/domain/ids.ts';
import { mayNotCommand } from '../../streams/launch/confined.ts';
import { accountNameOf } from '../../streams/launch/namespace-steps.ts';
import type { ServiceChange } from '../../streams/kernel/derived/derived.ts';

interface DoorPorts {
  /** The uid of the supervisor; services without `user` run with it too. */
  readonly own: number;
  /** Returns the uid of this account; `undefined` if the machine has no such account. */
  readonly uidOf: (user: string) => Promise<number | undefined>;
  readonly open: (admits: (uid: number) => boolean) => Promise<void>;
  readonly onTrouble: (error: unknown) => void;
}

/** A user of the spawn socket (`undefined`: the supervisor's own), looked up again for each run. */
interface Asking {
  readonly user: string | undefined;
  readonly run: number;
}

type Askers = ReadonlyMap<ServiceId, Asking>;

/** True if the service cannot use the control socket: another user, or a hidden data directory. */
const isKeptOut = (spec: ServiceSpec): boolean =>
  spec.privilege.user !== undefined || mayNotCommand(spec, { uid: 0 });

/** Returns the spec of the service's next run if that may use the spawn socket. */
const dynamicSpec = (service: Service): ServiceSpec | undefined => {
  const spec = service.revised ?? service.spec;
  return spec.spawn.mode === 'dynamic' && isKeptOut(spec) ? spec : undefined;
};

const askingOf = (service: Service | undefined): Asking | undefined => {
  if (service === undefined) return undefined;
  const spec = dynamicSpec(service);
  return spec && { user: accountNameOf(spec), run: service.runs };
};

const keyOf = (asking: Asking | undefined): string => JSON.stringify(asking ?? null);

const after = (askers: Askers, { id, service }: ServiceChange): Askers => {
  const now = askingOf(service);
  if (keyOf(askers.get(id)) === keyOf(now)) return askers;
  const next = new Map(askers);
  if (now === undefined) next.delete(id);
  else next.set(id, now);
  return next;
};

const NONE: Askers = new Map();

const uidOrTrouble = async (user: string, { uidOf, onTrouble }: DoorPorts): Promise<number | undefined> => {
  try {
    return await uidOf(user);
  } catch (error) {
    onTrouble(error);
    return undefined;
  }
};

const uidsOf = async (askers: Askers, ports: DoorPorts): Promise<ReadonlySet<number>> => {
  const uids = new Set<number>();
  for (const user of new Set([...askers.values()].map((asking) => asking.user))) {
    const uid = user === undefined ? ports.own : await uidOrTrouble(user, ports);
    if (uid !== undefined) uids.add(uid);
  }
  return uids;
};

/** Opens the spawn socket once it is needed, then updates the uids that it admits. Never fails. */
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
