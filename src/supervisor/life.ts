// The life of a supervisor: its parts at work until it is told to end, or until one of them breaks. What is left of it
// then would answer and do nothing; another one begins from what is recorded.
import { Subscription, type Observable } from 'rxjs';
import type { Verdict } from '../streams/domain/end.ts';

/** `broken`: a part has failed, which has been told. */
type End = { readonly tag: 'quit'; readonly verdict: Verdict | undefined } | { readonly tag: 'broken' };

export interface Life {
  readonly end: Promise<End>;
  readonly subscription: Subscription;
}

interface LifePorts {
  /** By name, in the order in which they begin. None ends by itself. */
  readonly parts: Readonly<Record<string, Observable<never>>>;
  readonly quit$: Observable<{ readonly verdict?: Verdict }>;
  readonly onError: (name: string, error: unknown) => void;
}

/** All parts begin at once, in their order; `end` settles with the first verdict, or the first part that breaks. */
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
