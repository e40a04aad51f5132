// Hooks are fired and forgotten by a supervisor, which lives on. A process that ends with its stop waits for them.
import { filter, map, merge, race, scan, switchMap, take, type Observable } from 'rxjs';
import type { Ms } from '../../streams/domain/time.ts';
import type { Derived } from '../../streams/kernel/derived/derived.ts';
import { after } from '../../streams/operators/after.ts';

type Needed = Pick<Derived, 'hook$' | 'step$' | 'reply$'>;

/** One more or one less is awaited: each hook, and the answer, which is from the beginning. */
function changes({ hook$, step$, reply$ }: Needed): Observable<1 | -1> {
  const begun$ = hook$.pipe(map(() => 1 as const));
  const ended$ = merge(step$.pipe(filter(({ event }) => event.type === 'hook-ended')), reply$);
  return merge(begun$, ended$.pipe(map(() => -1 as const)));
}

/**
 * Emits once after the answer: `true` as soon as no hook is under way, `false` when some still are `patience` later. To be
 * subscribed to before the loop runs.
 */
export function hooksOver(derived: Needed, patience: Ms): Observable<boolean> {
  const over$ = changes(derived).pipe(
    scan((awaited, change) => awaited + change, 1),
    filter((awaited) => awaited === 0),
    map(() => true),
  );
  const late$ = derived.reply$.pipe(
    switchMap(() => after(patience)),
    map(() => false),
  );
  return race(over$, late$).pipe(take(1));
}
