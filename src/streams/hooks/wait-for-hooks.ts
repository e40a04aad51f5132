// Waits for running hooks before the process ends: after a shutdown, and after a `stop` while no supervisor
// runs.
// Rules: `docs/behaviour.md`, "Commands on behalf of a service", "At the time limit".
import { EMPTY, filter, map, merge, scan, switchMap, takeWhile, type Observable } from 'rxjs';
import type { EffectOf } from '../domain/effect.ts';
import type { Event } from '../domain/event.ts';
import type { HandedHook } from '../domain/handed-commands.ts';
import { shownId } from '../domain/ids.ts';
import { seconds, type Ms } from '../domain/time.ts';
import { after } from '../operators/long-timer.ts';
import { each } from '../operators/each.ts';

/**
 * The maximum time that the supervisor waits for hooks before it ends. Then it kills the hooks that still
 * run.
 */
export const HOOKS_PATIENCE = seconds(60);

interface Needed {
  readonly hook$: Observable<EffectOf<'run-hook'>>;
  readonly step$: Observable<{ readonly event: Event }>;
  /** Emits when everything except the hooks has ended. */
  readonly still$: Observable<unknown>;
  /** Emits when the supervisor must end without a further wait. The hooks that still run are then killed. */
  readonly hurried$?: Observable<unknown>;
  /** Hooks that already run when the wait begins. */
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

const MARK_STILL: Change = (awaited) => ({ ...awaited, still: true });
const MARK_LATE: Change = (awaited) => ({ ...awaited, late: true });

function changes({ hook$, step$, still$, hurried$ = EMPTY, patience }: Needed): Observable<Change> {
  const late$ = still$.pipe(switchMap(() => merge(after(patience), hurried$)));
  return merge(
    hook$.pipe(map(begun)),
    step$.pipe(each(({ event }) => (event.type === 'hook-ended' ? [ended(event)] : []))),
    still$.pipe(map(() => MARK_STILL)),
    late$.pipe(map(() => MARK_LATE)),
  );
}

/**
 * Emits the running hooks when everything else has ended, and again when a hook begins or ends. Completes
 * when no hook runs any more or the wait is over.
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

/** Returns the hooks as text, each with its service. */
export const hooksText = (hooks: readonly HandedHook[]): string =>
  hooks.map(({ service, name }) => `${shownId(service)} ${name}`).join(', ');

/** The beginning of the message about hooks that the supervisor waits for. */
export const AWAITED = 'the supervisor ends as soon as these hooks are over: ';

/** Returns the message about hooks that the supervisor waits for. */
export const awaitedText = (hooks: readonly HandedHook[]): string => `${AWAITED}${hooksText(hooks)}`;
