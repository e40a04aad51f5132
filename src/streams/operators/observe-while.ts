// Opens and closes watches (observations such as timers). An owner lists the watches that it needs. A watch
// is subscribed to while it is listed, so that no other code has to cancel a watch. When the list of an owner
// changes, only this list is processed.
import { defer, Observable, Subscription, type OperatorFunction } from 'rxjs';
import { inTurn } from './mailbox.ts';

/** All watches that `owner` needs now. Equal keys of one owner mean the same watch. */
export interface Listing<W> {
  readonly owner: string;
  readonly watches: readonly W[];
}

export interface ObserveWhile<W, E> {
  /**
   * Returns the events of a watch. It is called when the key of the watch is new in the list. Its result is
   * subscribed to as long as the key is listed.
   */
  open(watch: W): Observable<E>;
  /**
   * Reports an error. It is called when a watch fails, even during unsubscription. The other watches
   * continue.
   */
  onError(watch: W, error: unknown): void;
}

/**
 * Maps the key of each watch to the function that closes this watch. The entry of a completed watch stays
 * while the watch is listed.
 */
type Slots = Map<string, () => void>;

const closeUnlisted = (slots: Slots, listed: ReadonlySet<string>): void => {
  for (const [key, close] of slots) {
    if (listed.has(key)) continue;
    slots.delete(key);
    close();
  }
};

/**
 * Returns an operator that closes the watches that are no longer in an owner's list, then opens the watches
 * that are new in this list. A completed watch is opened again only if a list in between did not contain it.
 */
export const observeWhile =
  <W extends { readonly key: string }, E>(ports: ObserveWhile<W, E>): OperatorFunction<Listing<W>, E> =>
  (listing$) =>
    new Observable<E>((subscriber) => {
      const owners = new Map<string, Slots>();

      const open = (watch: W, slots: Slots): void => {
        const slot = new Subscription();
        const onError = (error: unknown): void => ports.onError(watch, error);
        slots.set(watch.key, () => {
          try {
            slot.unsubscribe();
          } catch (error) {
            onError(error);
          }
        });
        const next = (news: E): void => subscriber.next(news);
        slot.add(defer(() => ports.open(watch)).subscribe({ next, error: onError }));
      };

      const reconcile = ({ owner, watches }: Listing<W>): void => {
        const slots: Slots = owners.get(owner) ?? new Map<string, () => void>();
        closeUnlisted(slots, new Set(watches.map(({ key }) => key)));
        if (watches.length === 0) owners.delete(owner);
        else owners.set(owner, slots);
        for (const watch of watches) {
          // `closed` is tested before each watch, because the subscriber may unsubscribe when an earlier
          // watch emits synchronously.
          if (!subscriber.closed && !slots.has(watch.key)) open(watch, slots);
        }
      };

      subscriber.add(() => owners.forEach((slots) => closeUnlisted(slots, new Set())));
      const error = (cause: unknown): void => subscriber.error(cause);
      const complete = (): void => subscriber.complete();
      subscriber.add(listing$.subscribe({ next: inTurn(reconcile), error, complete }));
    });
