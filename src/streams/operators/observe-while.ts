// Opens and closes watches (observations such as timers). A watch is subscribed to when it is listed, and
// unsubscribed when it is no longer listed, so that no code has to cancel a watch. A change of one owner's
// list costs time for this list only.
import { defer, Observable, Subscription, type OperatorFunction } from 'rxjs';
import { inTurn } from './mailbox.ts';

/** All watches that `owner` needs now. Equal keys of one owner mean the same watch. */
export interface Listing<W> {
  readonly owner: string;
  readonly watches: readonly W[];
}

export interface ObserveWhile<W, E> {
  /**
   * Returns the events of a watch. Called when its key is new. The result is subscribed to as long as the key
   * is listed.
   */
  open(watch: W): Observable<E>;
  /** Called when a watch fails, even during unsubscription. Only that watch ends. */
  onError(watch: W, error: unknown): void;
}

/** Functions that close watches, by key. A completed watch keeps its entry while it is listed. */
type Slots = Map<string, () => void>;

const closeUnlisted = (slots: Slots, listed: ReadonlySet<string>): void => {
  for (const [key, close] of slots) {
    if (listed.has(key)) continue;
    slots.delete(key);
    close();
  }
};

/**
 * Returns an operator that closes an owner's watches that are no longer listed, then opens its new watches. A
 * completed watch is opened again only after a list without it.
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
          // `closed` is tested for each watch, because a watch that emits at once may make the subscriber
          // unsubscribe.
          if (!subscriber.closed && !slots.has(watch.key)) open(watch, slots);
        }
      };

      subscriber.add(() => owners.forEach((slots) => closeUnlisted(slots, new Set())));
      const error = (cause: unknown): void => subscriber.error(cause);
      const complete = (): void => subscriber.complete();
      subscriber.add(listing$.subscribe({ next: inTurn(reconcile), error, complete }));
    });
