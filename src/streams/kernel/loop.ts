// The loop of the supervisor: mailbox → stamp → supervise → derive → observe → post. Each event makes one
// step. The watches and effects of the step report their results as later events.
import { ignoreElements, merge, tap, type Observable } from 'rxjs';
import type { EffectOf } from '../domain/effect.ts';
import type { Event } from '../domain/event.ts';
import type { Clock, Sink } from '../domain/ports.ts';
import type { Watch } from '../domain/watch.ts';
import { each } from '../operators/each.ts';
import { mailbox } from '../operators/mailbox.ts';
import { observeWhile } from '../operators/observe-while.ts';
import { stampsBy } from './clock-set.ts';
import { derive, type Derived } from './after-step/step-streams.ts';
import { INITIAL_STATE, type SupervisorState } from './state.ts';
import { supervise } from './kernel-scan.ts';

/** The sinks that carry out effects. An error that a sink does not catch ends the loop. */
export interface Sinks {
  readonly notes: Sink<'note'>;
  readonly spawns: Sink<'spawn'>;
  readonly signals: Sink<'signal'>;
  readonly hooks: Sink<'run-hook'>;
  readonly slots: Sink<'keep-slot'>;
  readonly replies: Sink<'reply'>;
}

/** Everything that the loop is connected to: sinks, sources, and functions that report errors. */
export interface KernelDeps extends Sinks {
  /** Returns all lines of the supervisor's log. The sink `notes` writes these lines. */
  notesOf(derived: Derived): Observable<EffectOf<'note'>>;
  /** Returns the events of a watch. The watch is open as long as the result is subscribed to. */
  open(watch: Watch): Observable<Event>;
  /** Called with an error of a watch. Reports the error, which ends only this watch. */
  onWatchError(watch: Watch, error: unknown): void;
  /** Commands of clients, signals, and other events from outside. */
  readonly happened$: Observable<Event>;
}

/** Access to the events that wait while the loop is paused. */
export interface Held {
  readonly events: () => readonly Event[];
  /** Continues the loop with `first`, if given, and then the waiting events. */
  readonly release: (first?: Event) => void;
}

export interface Loop {
  /** Processes the event: at once, or after the event in progress. Has no effect before the loop runs. */
  readonly post: (event: Event) => void;
  /**
   * The streams derived from the steps. A subscriber that subscribes before the loop starts receives each
   * step before the effects of that step begin.
   */
  readonly derived: Derived;
  /** Returns the latest state: while the effects of an event are carried out, the state after this event. */
  readonly read: () => SupervisorState;
  /** Returns the event that was processed last. */
  readonly lastEvent: () => Event | undefined;
  /** Pauses processing: events wait until `release`. Only one hold at a time. */
  readonly hold: () => Held;
  /** Returns an Observable that runs the loop while subscribed; it emits nothing and never completes. */
  run(around: KernelDeps): Observable<never>;
}

/**
 * Returns the consequences of a step in this order:
 * - watches, because a watch that has ended must not emit while the other consequences begin,
 * - log lines, in the order of events,
 * - spawns and signals, then hooks and slots,
 * - replies, so that everything else has begun when the client gets its answer.
 */
function consequencesOf(derived: Derived, around: KernelDeps): readonly Observable<Event>[] {
  const { watch$, spawn$, signal$, hook$, slot$, reply$ } = derived;
  return [
    watch$.pipe(
      observeWhile({
        open: (watch) => around.open(watch),
        onError: (watch, error) => around.onWatchError(watch, error),
      }),
    ),
    around.notes(around.notesOf(derived)),
    around.spawns(spawn$),
    around.signals(signal$),
    around.hooks(hook$),
    around.slots(slot$),
    around.replies(reply$),
  ];
}

interface Latest {
  state: SupervisorState;
  event?: Event;
}

/** Returns a loop that begins with the state `initial`. The loop does not run yet. */
export const loopOf = (clock: Clock, initial: SupervisorState = INITIAL_STATE): Loop => {
  const { post: deliver, posted$ } = mailbox<Event>();
  const latest: Latest = { state: initial };
  let waiting: Event[] | undefined;
  const post = (event: Event): void => {
    if (waiting === undefined) deliver(event);
    else waiting.push(event);
  };
  const step$ = posted$.pipe(
    tap((event) => void (latest.event = event)),
    each(stampsBy(clock)),
    supervise(initial, (state) => void (latest.state = state)),
  );
  const derived = derive(step$);
  const loop: Loop = {
    post,
    derived,
    read: () => latest.state,
    lastEvent: () => latest.event,
    hold() {
      const held: Event[] = [];
      waiting = held;
      return {
        events: () => held,
        release: (first) => {
          waiting = undefined;
          if (first !== undefined) deliver(first);
          held.forEach(deliver);
        },
      };
    },
    run(around) {
      const event$ = merge(...consequencesOf(derived, around), around.happened$);
      return event$.pipe(tap(post), ignoreElements());
    },
  };
  return loop;
};
