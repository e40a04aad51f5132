// Opens and closes watches: a watch that the state lists is subscribed to, one that it no longer lists is
// unsubscribed. So no watch is ever cancelled by hand. The cost of one change is the length of one owner's
// list, however many owners there are.
import { defer, Observable, Subscription, type OperatorFunction } from 'rxjs';
import { inTurn } from './mailbox.ts';

/** All watches of `owner` from now on. Equal keys of one owner mean the same watch. */
export interface Listing<W> {
  readonly owner: string;
  readonly watches: readonly W[];
}

export interface ObserveWhile<W, E> {
  /** Opens a watch: called once for each new key. The result is subscribed to while the key is listed. */
  open(watch: W): Observable<E>;
  /** Called with an error of a watch, even one on unsubscription. The error ends only that watch. */
  onError(watch: W, error: unknown): void;
}

/**
 * The function that closes each watch, by key. A completed watch keeps its entry while it is listed, so that
 * it does not open again.
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
 * For each owner, closes watches that are no longer listed, then opens the new ones; the others continue. A
 * completed watch opens again only after a list without it. A list that arrives while a watch opens is
 * processed afterwards. When the lists complete, all watches close.
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
          // A watch that emits while it opens may make the subscriber unsubscribe.
          if (!subscriber.closed && !slots.has(watch.key)) open(watch, slots);
        }
      };

      subscriber.add(() => owners.forEach((slots) => closeUnlisted(slots, new Set())));
      const error = (cause: unknown): void => subscriber.error(cause);
      const complete = (): void => subscriber.complete();
      subscriber.add(listing$.subscribe({ next: inTurn(reconcile), error, complete }));
    });
