// Makes the RxJS `scan` that processes events one by one. An error that a step throws is a bug: it is logged,
// the requesting client gets ERR0001, and the state from before the event stays.
import { scan, share, tap, type Observable } from 'rxjs';
import type { Event, Stamped } from '../domain/event.ts';
import { bugText, messageOf } from '../domain/errors/thrown.ts';
import { INITIAL_STATE, type SupervisorState } from './state.ts';
import { step, type Step } from './step.ts';

/** Returns the reply ERR0001 to the request that the event is about, and the state without that request. */
const refusal = (state: SupervisorState, event: Event, thrown: unknown): Partial<Step> => {
  if (!('request' in event)) return {};
  const { request } = event;
  const { [request]: _dropped, ...requests } = state.requests;
  const error = { code: 'ERR0001', detail: messageOf(thrown) } as const;
  return {
    state: { ...state, requests },
    effects: [{ type: 'reply', request, reply: { ok: false, error } }],
    requests: [request],
  };
};

const failed = (state: SupervisorState, { at, event }: Stamped, thrown: unknown): Step => {
  const { effects = [], ...rest } = refusal(state, event, thrown);
  return {
    at,
    event,
    state,
    moves: [],
    rollouts: [],
    children: [],
    services: [],
    requests: [],
    ...rest,
    effects: [{ type: 'note', level: 'error', text: bugText(event.type, thrown) }, ...effects],
  };
};

const guardedStep = (state: SupervisorState, stamped: Stamped): Step => {
  try {
    return step(state, stamped);
  } catch (error) {
    return failed(state, stamped, error);
  }
};

const seed = (state: SupervisorState): Pick<Step, 'state'> => ({ state });

/**
 * Returns an operator that turns events into steps. Calls `reached` with each new state before the step is
 * emitted.
 */
export const supervise =
  (initial: SupervisorState = INITIAL_STATE, reached: (state: SupervisorState) => void = () => undefined) =>
  (stamped$: Observable<Stamped>): Observable<Step> =>
    stamped$.pipe(
      scan(
        (last: Pick<Step, 'state'>, stamped: Stamped): Step => guardedStep(last.state, stamped),
        seed(initial),
      ),
      // The seed of `scan` lacks some fields of a step, but `scan` does not emit its seed.
      (accumulated$) => accumulated$ as Observable<Step>,
      tap(({ state }) => reached(state)),
      share(),
    );
