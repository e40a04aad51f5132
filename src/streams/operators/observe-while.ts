// Watches: what the state lists is being observed, what it lists no longer is not. Therefore nothing is ever
// cancelled by hand. A notification costs the length of one owner's list, whatever the number of owners.
import { defer, Observable, Subscription, type OperatorFunction } from 'rxjs';
import { inTurn } from './in-turn.ts';

/** All that `owner` wants observed from now on. Equal keys of one owner are the same watch. */
export interface Listing<W> {
  readonly owner: string;
  readonly watches: readonly W[];
}

export interface ObserveWhile<W, E> {
  /** Called once for each key; what it returns is observed for as long as the key is listed. */
  open(watch: W): Observable<E>;
  /** An error of one watch, even of its closing, ends that watch only. */
  onError(watch: W, error: unknown): void;
}

/** How to close each watch, by key. One that is over keeps its place while it is listed, so as not to open again. */
type Slots = Map<string, () => void>;

const closeUnlisted = (slots: Slots, listed: ReadonlySet<string>): void => {
  for (const [key, close] of slots) {
    if (listed.has(key)) continue;
    slots.delete(key);
    close();
  }
};

/**
 * For each owner, closes the watches that are not listed any more, then opens the new ones; the others go on. A watch
 * that completes is over: it is opened again only after it was missing from a list. A list that arrives because a
 * watch spoke up while it was being opened waits its turn. When the lists end, so do all watches.
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
          // A watch that speaks up while being opened may be the last thing the reader wanted to hear.
          if (!subscriber.closed && !slots.has(watch.key)) open(watch, slots);
        }
      };

      subscriber.add(() => owners.forEach((slots) => closeUnlisted(slots, new Set())));
      const error = (cause: unknown): void => subscriber.error(cause);
      const complete = (): void => subscriber.complete();
      subscriber.add(listing$.subscribe({ next: inTurn(reconcile), error, complete }));
    });
