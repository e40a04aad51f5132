// The loop of the supervisor: mailbox → stamp → supervise → derive → observe → post. It processes one event
// at a time, which is one step. Each step leads to watches and effects; their results come back as later
// events.
import { ignoreElements, merge, tap, type Observable } from 'rxjs';
import type { EffectOf } from '../domain/effect.ts';
import type { Event } from '../domain/event.ts';
import type { Clock, Sink } from '../domain/ports.ts';
import type { Watch } from '../domain/watch.ts';
import { each } from '../operators/each.ts';
import { mailbox } from '../operators/mailbox.ts';
import { observeWhile } from '../operators/observe-while.ts';
import { stampsBy } from './clock.ts';
import { derive, type Derived } from './derived/derived.ts';
import { INITIAL_STATE, type SupervisorState } from './state.ts';
import { supervise } from './kernel-scan.ts';

/**
 * The sinks that carry out the effects (spawns, signals, replies) of each event. A sink must catch its
 * errors, because an error of a sink ends the loop.
 */
export interface Sinks {
  readonly notes: Sink<'note'>;
  readonly spawns: Sink<'spawn'>;
  readonly signals: Sink<'signal'>;
  readonly hooks: Sink<'run-hook'>;
  readonly slots: Sink<'keep-slot'>;
  readonly replies: Sink<'reply'>;
}

/** The sinks and sources that the loop is connected to. */
export interface KernelDeps extends Sinks {
  /** Returns all lines of the supervisor's log, made from these streams; the sink `notes` writes them. */
  notesOf(derived: Derived): Observable<EffectOf<'note'>>;
  /** Returns the events of one watch (a timer, probe, process or file), while subscribed. */
  open(watch: Watch): Observable<Event>;
  /** Reports an error of one watch. The error ends that watch only. */
  onWatchError(watch: Watch, error: unknown): void;
  /** Events from outside: commands of clients, signals of the machine. */
  readonly happened$: Observable<Event>;
}

/** Gives access to the events that are kept, in order, while the loop is held and processes none. */
export interface Held {
  readonly events: () => readonly Event[];
  /** Continues the loop: processes `first`, if given, and then the events that came meanwhile. */
  readonly release: (first?: Event) => void;
}

export interface Loop {
  /** Processes the event, at once or after the current one. Has an effect only while the loop runs. */
  readonly post: (event: Event) => void;
  /**
   * Streams derived from the processed events. A reader that subscribes before the loop runs receives the
   * result of each event before its effects start.
   */
  readonly derived: Derived;
  /** Returns the latest state; while an event is processed, the new state. */
  readonly read: () => SupervisorState;
  /** Returns the event that was processed last. */
  readonly lastEvent: () => Event | undefined;
  /** Stops processing events: those that come are kept until `release`. Only one hold at a time. */
  readonly hold: () => Held;
  /** Returns an Observable that runs the loop while subscribed. It emits nothing and never completes. */
  run(around: KernelDeps): Observable<never>;
}

/**
 * Returns the consequences of a step, in the order in which they are carried out:
 * - watches first: a watch that has ended must not emit meanwhile,
 * - log lines, so that the log follows the order of events,
 * - spawns and signals, then hooks and slots,
 * - replies last: when a client receives its reply, the rest is in progress.
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

/** Returns a loop with this state that does not run yet. */
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
