// The life of a supervisor: its parts at work until it is told to end, or until one of them breaks. What is left of it
// then would answer and do nothing; another one begins from what is recorded.
import { Subscription, type Observable } from 'rxjs';

export interface Life {
  /** `broken`: a part has failed, which has been told. */
  readonly end: Promise<'quit' | 'broken'>;
  readonly subscription: Subscription;
}

interface LifePorts {
  /** By name, in the order in which they begin. None ends by itself. */
  readonly parts: Readonly<Record<string, Observable<never>>>;
  readonly quit$: Observable<unknown>;
  readonly onError: (name: string, error: unknown) => void;
}

export const lifeOf = ({ parts, quit$, onError }: LifePorts): Life => {
  const subscription = new Subscription();
  const end = new Promise<'quit' | 'broken'>((settle) => {
    const broken =
      (name: string) =>
      (error: unknown): void => {
        onError(name, error);
        settle('broken');
      };
    for (const [name, part$] of Object.entries(parts))
      subscription.add(part$.subscribe({ error: broken(name) }));
    subscription.add(quit$.subscribe({ next: () => settle('quit'), error: () => settle('broken') }));
  });
  return { end, subscription };
};
