// The life of a supervisor: its parts run until it is told to end or one of them fails. Such a supervisor
// would answer and do nothing, so another one starts from the records.
import { Subscription, type Observable } from 'rxjs';
import type { Verdict } from '../streams/domain/effect.ts';

/** `broken`: a part has failed, which was reported. */
type End = { readonly tag: 'quit'; readonly verdict: Verdict | undefined } | { readonly tag: 'broken' };

export interface Life {
  readonly end: Promise<End>;
  readonly subscription: Subscription;
}

interface LifePorts {
  /** By name, in the order in which they are subscribed. None completes by itself. */
  readonly parts: Readonly<Record<string, Observable<never>>>;
  readonly quit$: Observable<{ readonly verdict?: Verdict }>;
  readonly onError: (name: string, error: unknown) => void;
}

/** Subscribes all parts at once, in order. `end` settles with the first verdict or failure of a part. */
export const lifeOf = ({ parts, quit$, onError }: LifePorts): Life => {
  const subscription = new Subscription();
  const end = new Promise<End>((settle) => {
    const broken =
      (name: string) =>
      (error: unknown): void => {
        onError(name, error);
        settle({ tag: 'broken' });
      };
    for (const [name, part$] of Object.entries(parts))
      subscription.add(part$.subscribe({ error: broken(name) }));
    subscription.add(
      quit$.subscribe({
        next: ({ verdict }) => settle({ tag: 'quit', verdict }),
        error: () => settle({ tag: 'broken' }),
      }),
    );
  });
  return { end, subscription };
};
