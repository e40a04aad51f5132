// One scan, one share. A step that throws is a bug; it is reported and the old state stays.
import { scan, share, tap, type Observable } from 'rxjs';
import type { Stamped } from '../domain/event.ts';
import { INITIAL_STATE, type SupervisorState } from './state.ts';
import { step, type Step } from './step.ts';

const failed = (state: SupervisorState, { at, event }: Stamped, error: unknown): Step => {
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return {
    at,
    event,
    state,
    effects: [{ type: 'note', level: 'error', text: `ERR0001 ${event.type}: ${detail}` }],
    moves: [],
    services: [],
    requests: [],
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

/** Events in, steps out; `reached` gets each new state before anybody else does. */
export const supervise =
  (initial: SupervisorState = INITIAL_STATE, reached: (state: SupervisorState) => void = () => undefined) =>
  (stamped$: Observable<Stamped>): Observable<Step> =>
    stamped$.pipe(
      scan(
        (last: Pick<Step, 'state'>, stamped: Stamped): Step => guardedStep(last.state, stamped),
        seed(initial),
      ),
      // Every accumulation is a whole step; only the seed is not, and a scan does not emit its seed.
      (accumulated$) => accumulated$ as Observable<Step>,
      tap(({ state }) => reached(state)),
      share(),
    );
