// Waits for running hooks after all services have stopped (`docs/hooks.md`, "How it is run").
import { filter, finalize, lastValueFrom, tap } from 'rxjs';
import type { HandedHook } from '../streams/domain/handed-commands.ts';
import { awaitedText, HOOKS_PATIENCE, hooksOver, hooksText } from '../streams/hooks/wait-for-hooks.ts';
import type { Derived } from '../streams/kernel/after-step/step-streams.ts';
import type { CommandBook } from '../sinks/process/commands/commands-under-way.ts';
import type { SupervisorLog } from '../sinks/logs/supervisor-log.ts';

export interface LastHooks {
  /** Resolves when the supervisor must end and no running hook is awaited any more. */
  readonly over: Promise<unknown>;
  /** Returns a warning while hooks are waited for; otherwise an empty list. */
  readonly warnings: () => readonly string[];
}

interface HookDeps {
  readonly book: Pick<CommandBook, 'left'>;
  readonly log: Pick<SupervisorLog, 'warn'>;
}

const handedTo = ({ book }: HookDeps): readonly HandedHook[] => book.left().flatMap(({ hook }) => hook ?? []);

const warningsOf = (hooks: readonly HandedHook[]): readonly string[] =>
  hooks.length === 0 ? [] : [awaitedText(hooks)];

/**
 * Counts running hooks. Call it before the loop runs, so that no hook is missed. SIGTERM or SIGINT ends the
 * wait for hooks.
 */
export const lastHooks = (
  { book, log }: HookDeps,
  { hook$, step$, quit$ }: Pick<Derived, 'hook$' | 'step$' | 'quit$'>,
): LastHooks => {
  let awaited: readonly HandedHook[] = [];
  const hurried$ = step$.pipe(filter(({ event }) => event.type === 'signalled' && event.signal !== 'SIGHUP'));
  const handed = handedTo({ book, log });
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
