// Hooks are fired and forgotten by a supervisor, which lives on. Who ends waits for them: a supervisor that has stopped
// everything, a stop without one.
import { EMPTY, filter, map, merge, scan, switchMap, takeWhile, type Observable } from 'rxjs';
import type { EffectOf } from '../domain/effect.ts';
import type { Event } from '../domain/event.ts';
import type { HandedHook } from '../domain/handed.ts';
import { shownId } from '../domain/ids.ts';
import { seconds, type Ms } from '../domain/time.ts';
import { after } from '../operators/after.ts';
import { each } from '../operators/each.ts';

/** How long hooks may take once everything is still; then they are ended. */
export const HOOKS_PATIENCE = seconds(60);

interface Needed {
  readonly hook$: Observable<EffectOf<'run-hook'>>;
  readonly step$: Observable<{ readonly event: Event }>;
  /** Everything else is over. */
  readonly still$: Observable<unknown>;
  /** From then on they are not waited for. */
  readonly hurried$?: Observable<unknown>;
  /** Under way before the first step. */
  readonly handed?: readonly HandedHook[];
  readonly patience: Ms;
}

interface Awaited {
  readonly hooks: readonly HandedHook[];
  readonly still: boolean;
  readonly late: boolean;
}

type Change = (awaited: Awaited) => Awaited;

const isSame = (one: HandedHook, { service, run, name }: HandedHook): boolean =>
  one.service === service && one.run === run && one.name === name;

const begun =
  ({ spec, occasion: { run, name } }: EffectOf<'run-hook'>): Change =>
  (awaited) => ({ ...awaited, hooks: [...awaited.hooks, { service: spec.id, run, name }] });

const ended =
  (hook: HandedHook): Change =>
  (awaited) => {
    const index = awaited.hooks.findIndex((one) => isSame(one, hook));
    return index < 0 ? awaited : { ...awaited, hooks: awaited.hooks.toSpliced(index, 1) };
  };

const STILL: Change = (awaited) => ({ ...awaited, still: true });
const LATE: Change = (awaited) => ({ ...awaited, late: true });

function changes({ hook$, step$, still$, hurried$ = EMPTY, patience }: Needed): Observable<Change> {
  const late$ = still$.pipe(switchMap(() => merge(after(patience), hurried$)));
  return merge(
    hook$.pipe(map(begun)),
    step$.pipe(each(({ event }) => (event.type === 'hook-ended' ? [ended(event)] : []))),
    still$.pipe(map(() => STILL)),
    late$.pipe(map(() => LATE)),
  );
}

/**
 * The hooks that are waited for, from when everything else is over; then whenever they change. Completes with nobody, or
 * with those that are not waited for any longer. To be subscribed to before the loop runs.
 */
export function hooksOver(needed: Needed): Observable<readonly HandedHook[]> {
  const start: Awaited = { hooks: needed.handed ?? [], still: false, late: false };
  return changes(needed).pipe(
    scan((awaited, change) => change(awaited), start),
    filter(({ still }) => still),
    takeWhile(({ hooks, late }) => hooks.length > 0 && !late, true),
    map(({ hooks }) => hooks),
  );
}

/** Each with the service whose it is. */
export const hooksText = (hooks: readonly HandedHook[]): string =>
  hooks.map(({ service, name }) => `${shownId(service)} ${name}`).join(', ');

/** Begins what is told of hooks that an end waits for. */
export const AWAITED = 'the supervisor ends as soon as these hooks are over: ';

/** That the supervisor waits for them. */
export const awaitedText = (hooks: readonly HandedHook[]): string => `${AWAITED}${hooksText(hooks)}`;
