// Between the moment in which everything is still and the end of the supervisor: its hooks are waited for
// (`docs/hooks.md`, "How it is run").
import { filter, finalize, lastValueFrom, tap } from 'rxjs';
import type { HandedHook } from '../streams/domain/handed.ts';
import { awaitedText, HOOKS_PATIENCE, hooksOver, hooksText } from '../streams/hooks/hooks-over.ts';
import type { Derived } from '../streams/kernel/derived/derived.ts';
import type { Parts } from './parts.ts';

export interface LastHooks {
  /** Settles when nobody is waited for any more; never, unless the supervisor is told to end. */
  readonly over: Promise<unknown>;
  /** While some are waited for. */
  readonly warnings: () => readonly string[];
}

const handedTo = ({ book }: Pick<Parts, 'book'>): readonly HandedHook[] =>
  book.left().flatMap(({ hook }) => hook ?? []);

const warningsOf = (hooks: readonly HandedHook[]): readonly string[] =>
  hooks.length === 0 ? [] : [awaitedText(hooks)];

/** Looks on from now on: the loop must not run yet. A second SIGTERM or SIGINT ends those that are waited for. */
export const lastHooks = (
  { book, log }: Pick<Parts, 'book' | 'log'>,
  { hook$, step$, quit$ }: Pick<Derived, 'hook$' | 'step$' | 'quit$'>,
): LastHooks => {
  let awaited: readonly HandedHook[] = [];
  const hurried$ = step$.pipe(filter(({ event }) => event.type === 'signalled' && event.signal !== 'SIGHUP'));
  const handed = handedTo({ book });
  const hooks$ = hooksOver({ hook$, step$, still$: quit$, hurried$, handed, patience: HOOKS_PATIENCE });
  const looked$ = hooks$.pipe(
    tap((hooks) => {
      if (awaited.length === 0) warningsOf(hooks).forEach(log.warn);
      awaited = hooks;
    }),
    finalize(() => {
      if (awaited.length > 0) log.warn(`ended, although they were under way: hooks ${hooksText(awaited)}`);
    }),
  );
  return {
    over: lastValueFrom(looked$, { defaultValue: [] }),
    warnings: () => warningsOf(awaited),
  };
};
