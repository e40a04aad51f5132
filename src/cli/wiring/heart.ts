// The kernel at work: a mailbox in front of the one scan, and what is derived from its steps.
import { map, type Subscription } from 'rxjs';
import type { Event, Stamped } from '../../streams/domain/event.ts';
import type { Clock } from '../../streams/domain/ports.ts';
import { derive, type Derived } from '../../streams/kernel/derived.ts';
import { INITIAL_STATE, type SupervisorState } from '../../streams/kernel/state.ts';
import { supervise } from '../../streams/kernel/supervise.ts';
import { mailbox } from '../../streams/operators/mailbox.ts';

export interface Heart {
  readonly post: (event: Event) => void;
  readonly derived: Derived;
  /** The latest state. */
  readonly read: () => SupervisorState;
  readonly subscription: Subscription;
}

export const heart = (clock: Clock, onError: (name: string, error: unknown) => void): Heart => {
  const { post, posted$ } = mailbox<Event>();
  const step$ = posted$.pipe(
    map((event): Stamped => ({ at: clock.now(), event })),
    supervise(),
  );
  let state = INITIAL_STATE;
  // The first subscriber: whoever is asked for the state within a step must find that step's.
  const subscription = step$.subscribe({
    next: (step) => {
      state = step.state;
    },
    error: (error: unknown) => onError('step$', error),
  });
  return { post, derived: derive(step$), read: () => state, subscription };
};
