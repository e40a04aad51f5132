// The RxJS `scan` that processes events one by one; its result for each event is a step. All subscribers
// share it. If processing throws, that is a bug: it is reported to the log and to the requesting client, and
// the state before that event stays.
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
 * Returns an operator that turns each event into a step (new state and effects). `reached` gets each new
 * state before any subscriber does.
 */
export const supervise =
  (initial: SupervisorState = INITIAL_STATE, reached: (state: SupervisorState) => void = () => undefined) =>
  (stamped$: Observable<Stamped>): Observable<Step> =>
    stamped$.pipe(
      scan(
        (last: Pick<Step, 'state'>, stamped: Stamped): Step => guardedStep(last.state, stamped),
        seed(initial),
      ),
      // The seed of `scan` is not a whole step, but it is never emitted; each emitted value is one.
      (accumulated$) => accumulated$ as Observable<Step>,
      tap(({ state }) => reached(state)),
      share(),
    );
