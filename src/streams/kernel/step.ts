// The only place where state changes: (state, event) → new state, effects, and what changed.
import type { Effect } from '../domain/effect.ts';
import type { Event, Stamped } from '../domain/event.ts';
import type { RequestId, ServiceId } from '../domain/ids.ts';
import type { Instant } from '../domain/time.ts';
import { dispatch } from './dispatch.ts';
import { openDraft } from './draft.ts';
import type { ChildTurn, Departure, Move, RunMove, Turn } from './after-step/state-change.ts';
import { heedEssential, quitWhenStill } from './supervisor-end.ts';
import { propagate } from './propagate.ts';
import type { SupervisorState } from './state.ts';

export interface Step {
  readonly at: Instant;
  readonly event: Event;
  readonly state: SupervisorState;
  /** Effects to carry out once. Hooks and most log lines are derived from state changes instead. */
  readonly effects: readonly Effect[];
  readonly moves: readonly (Move | Departure)[];
  /** State changes of the second runs of rollouts, and changes of rollouts, in order. */
  readonly rollouts: readonly (RunMove | Turn)[];
  readonly children: readonly ChildTurn[];
  /** The services that this event changed or removed. */
  readonly services: readonly ServiceId[];
  readonly requests: readonly RequestId[];
}

/** Processes one event. Returns the new state, the effects, and what changed. */
export const step = (state: SupervisorState, { at, event }: Stamped): Step => {
  const draft = openDraft(state, at);
  dispatch(draft, event);
  propagate(draft);
  if (heedEssential(draft)) propagate(draft);
  quitWhenStill(draft, state.phase);
  return {
    at,
    event,
    state: draft.state,
    effects: draft.effects,
    moves: draft.moves,
    rollouts: draft.rollouts,
    children: draft.children,
    services: [...draft.services],
    requests: [...draft.requests],
  };
};
