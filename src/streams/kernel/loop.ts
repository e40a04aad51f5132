// The loop of the supervisor: mailbox → stamp → supervise → derive → observe → post. Events come in one by one; of each
// step follow watches and effects, and what those bring about comes back as events of later steps.
import { ignoreElements, merge, tap, type Observable } from 'rxjs';
import type { Event } from '../domain/event.ts';
import type { Clock, Sink } from '../domain/ports.ts';
import type { Watch } from '../domain/watch.ts';
import { each } from '../operators/each.ts';
import { mailbox } from '../operators/mailbox.ts';
import { observeWhile } from '../operators/observe-while.ts';
import { stampsBy } from './clock/stamp.ts';
import { derive, type Derived } from './derived/derived.ts';
import { INITIAL_STATE, type SupervisorState } from './state.ts';
import { supervise } from './supervise.ts';

/** Who does what follows from a step. A sink that fails ends the loop: fence it. */
export interface Sinks {
  readonly notes: Sink<'note'>;
  readonly spawns: Sink<'spawn'>;
  readonly signals: Sink<'signal'>;
  readonly hooks: Sink<'run-hook'>;
  readonly slots: Sink<'keep-slot'>;
  readonly replies: Sink<'reply'>;
}

/** The world around the loop. */
export interface Surroundings extends Sinks {
  /** Observes what a watch asks for. */
  open(watch: Watch): Observable<Event>;
  /** An error of one watch, which ends that watch only. */
  onWatchError(watch: Watch, error: unknown): void;
  /** What happens unasked: commands of clients, signals of the machine. */
  readonly happened$: Observable<Event>;
}

/** What happened while the loop was held, in order. */
export interface Held {
  readonly events: () => readonly Event[];
  /** The loop goes on: with `first`, if there is one, then with what waited. */
  readonly release: (first?: Event) => void;
}

export interface Loop {
  /** Makes a step of the event, at once or directly after the one under way; only while the loop runs. */
  readonly post: (event: Event) => void;
  /** Readers that subscribe before the loop runs hear of a step before anything is done about it. */
  readonly derived: Derived;
  /** The latest state; within a step, that step's. */
  readonly read: () => SupervisorState;
  /** What the latest step was about. */
  readonly lastEvent: () => Event | undefined;
  /** From now on nothing is decided: what happens waits. Only once at a time. */
  readonly hold: () => Held;
  /** The loop at work, for as long as it is subscribed. Never ends by itself. */
  run(around: Surroundings): Observable<never>;
}

/**
 * In this order the consequences of one step are seen to. Watches first: what is no longer to be observed must not speak
 * up while the rest is done. Then what is told, so that the log reads in the order of things; then what is done to
 * processes, hooks after that, and last the replies: who has one finds the rest under way.
 */
function consequencesOf(derived: Derived, around: Surroundings): readonly Observable<Event>[] {
  const { watch$, note$, spawn$, signal$, hook$, slot$, reply$ } = derived;
  return [
    watch$.pipe(
      observeWhile({
        open: (watch) => around.open(watch),
        onError: (watch, error) => around.onWatchError(watch, error),
      }),
    ),
    around.notes(note$),
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

/** A loop at rest, in this state. */
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
