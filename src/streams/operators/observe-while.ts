// Opens and closes watches (observations such as timers): a watch that the state lists is subscribed to, a
// watch that is no longer listed is unsubscribed. So no watch is ever cancelled by hand. A change of one
// owner's list costs time only for that list.
import { defer, Observable, Subscription, type OperatorFunction } from 'rxjs';
import { inTurn } from './mailbox.ts';

/**
 * All watches that `owner` needs now; they replace its previous list. Equal keys of one owner mean the same
 * watch.
 */
export interface Listing<W> {
  readonly owner: string;
  readonly watches: readonly W[];
}

export interface ObserveWhile<W, E> {
  /** Opens a watch when its key is new. The result is subscribed to while the key is listed. */
  open(watch: W): Observable<E>;
  /** Called when a watch fails, also during unsubscription. Only that watch ends. */
  onError(watch: W, error: unknown): void;
}

/**
 * The functions that close watches, by key. A watch that completed keeps its entry while it is listed, so
 * that it is not opened again.
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
 * For each owner, closes watches that are no longer listed, then opens the new ones; all other watches
 * continue. A watch that completed is opened again only after a list without it. A list that arrives while a
 * watch is being opened is processed afterwards. When the stream of lists completes, all watches are closed.
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
          // A watch that emits at once may make the subscriber unsubscribe, so both conditions are tested for
          // every watch.
          if (!subscriber.closed && !slots.has(watch.key)) open(watch, slots);
        }
      };

      subscriber.add(() => owners.forEach((slots) => closeUnlisted(slots, new Set())));
      const error = (cause: unknown): void => subscriber.error(cause);
      const complete = (): void => subscriber.complete();
      subscriber.add(listing$.subscribe({ next: inTurn(reconcile), error, complete }));
    });
