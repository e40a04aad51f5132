// The only place where things change: (state, event) → state and effects, and which services and requests it touched.
import type { Effect } from '../domain/effect.ts';
import type { Event, Stamped } from '../domain/event.ts';
import type { RequestId, ServiceId } from '../domain/ids.ts';
import type { Instant } from '../domain/time.ts';
import { dispatch } from './dispatch.ts';
import { openDraft } from './draft.ts';
import type { ChildTurn, Departure, Move, Turn } from './derived/move.ts';
import { quitWhenStill } from './closing.ts';
import { heedEssential } from './essential.ts';
import { settle } from './settle.ts';
import type { SupervisorState } from './state.ts';

export interface Step {
  readonly at: Instant;
  readonly event: Event;
  readonly state: SupervisorState;
  /** What is to be done once; hooks and most log lines follow from the moves. */
  readonly effects: readonly Effect[];
  /** Services that went through the state table, in order, and those that left. */
  readonly moves: readonly (Move | Departure)[];
  /** Second runs that went through the state table, their declarations filled in, and rollouts that turned: in order. */
  readonly rollouts: readonly (Move | Turn)[];
  readonly children: readonly ChildTurn[];
  /** Services that this step touched, the removed ones included. */
  readonly services: readonly ServiceId[];
  readonly requests: readonly RequestId[];
}

/** One event, all that it changes, and what is to be done about it. */
export const step = (state: SupervisorState, { at, event }: Stamped): Step => {
  const draft = openDraft(state, at);
  dispatch(draft, event);
  settle(draft);
  if (heedEssential(draft)) settle(draft);
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
