// Opens the service socket, and keeps the uids that it admits: the supervisor's own, and those of the
// accounts that services run as.
import { catchError, concatMap, defer, EMPTY, filter, ignoreElements, merge, type Observable } from 'rxjs';
import type { ServiceId } from '../../streams/domain/ids.ts';
import { accountNameOf } from '../../streams/launch/namespace-steps.ts';
import type { ServiceChange } from '../../streams/kernel/derived/derived.ts';

interface ServiceSocketPorts {
  /** The uid of the supervisor; services without `user` run with it too. */
  readonly own: number;
  /** Returns the uid of this account; `undefined` if the machine has no such account. */
  readonly uidOf: (user: string) => Promise<number | undefined>;
  readonly open: (admits: (uid: number) => boolean) => Promise<void>;
  readonly onTrouble: (error: unknown) => void;
}

/** The account of a service at one of its runs; its uid is looked up again for each run. */
interface Account {
  readonly user: string;
  readonly run: number;
  readonly uid?: number | undefined;
}

const accountOf = ({ service }: ServiceChange): Account | undefined => {
  const user = service && accountNameOf(service.revised ?? service.spec);
  return service === undefined || user === undefined ? undefined : { user, run: service.runs };
};

/** Does the work; a failure is reported. Never emits. */
function attempt(work: () => Promise<void>, onTrouble: (error: unknown) => void): Observable<never> {
  return defer(work).pipe(
    ignoreElements(),
    catchError((error: unknown) => {
      onTrouble(error);
      return EMPTY;
    }),
  );
}

/** Opens the service socket, then updates the uids that it admits. Never fails, never emits. */
export function serviceSocket(
  service$: Observable<ServiceChange>,
  { own, uidOf, open, onTrouble }: ServiceSocketPorts,
): Observable<never> {
  return defer(() => {
    const accounts = new Map<ServiceId, Account>();
    const isNew = (change: ServiceChange): boolean => {
      const [before, now] = [accounts.get(change.id), accountOf(change)];
      return before?.user !== now?.user || before?.run !== now?.run;
    };
    const lookUp = async (change: ServiceChange): Promise<void> => {
      const now = accountOf(change);
      if (now === undefined) return void accounts.delete(change.id);
      accounts.set(change.id, { ...now, uid: await uidOf(now.user) });
    };
    const isAdmitted = (uid: number): boolean =>
      uid === own || [...accounts.values()].some((account) => account.uid === uid);
    return merge(
      attempt(() => open(isAdmitted), onTrouble),
      service$.pipe(
        filter(isNew),
        concatMap((change) => attempt(() => lookUp(change), onTrouble)),
      ),
    );
  });
}
