// Records what a run reports about itself (`sd_notify`): that it is ready, that it needs more time to start
// or to stop, and its status.
// Rules: `docs/behaviour.md`, "Health checks", "The service notifies".
import { isNotifying } from '../domain/declared/health-check.ts';
import { HEALTHY } from '../domain/service/service-state.ts';
import { earlier, later, ms, plus } from '../domain/time.ts';
import { notifiedAfter, notifiedEvents } from '../output/notify-message.ts';
import { ready } from './checks/readiness.ts';
import type { Change, Situation } from './service-input.ts';

/** Records a notification (`sd_notify`) of the run. `READY=1` makes a starting run ready. */
export const notified = (cell: Situation<'starting' | 'up', 'notified'>): Change => {
  const { service, state, input, context } = cell;
  const { report } = input;
  const now = notifiedAfter(state.notified, report);
  const effects = notifiedEvents(service, state.run, [state.notified, now]);
  if (state.tag === 'up') return { to: { ...state, notified: now }, effects };
  if (report.ready && isNotifying(service.spec.deployment.healthCheck)) {
    const { to, ...change } = ready({ ...state, notified: now }, HEALTHY, context.at);
    return { ...change, to, effects };
  }
  const readyBy = report.extend && later(state.readyBy ?? context.at, plus(context.at, report.extend));
  return { to: { ...state, notified: now, ...(readyBy && { readyBy }) }, effects };
};

/**
 * The longest time of a stop, as a multiple of `stop_timeout`, even if the run asks for more time again and
 * again.
 */
const LONGEST_STOP = 10;

/** Records a report of a run that is being stopped, such as a request for more time. */
export const notifiedAtEnd = ({
  service,
  state,
  input: { report },
  context: { at },
}: Situation<'stopping', 'notified'>): Change => {
  const now = notifiedAfter(state.notified, report);
  const most = plus(state.phaseSince, ms(LONGEST_STOP * service.spec.stopTimeout));
  const asked = report.extend && earlier(most, plus(at, report.extend));
  const stopBy = asked && later(state.stopBy ?? asked, asked);
  return {
    to: { ...state, notified: now, ...(stopBy && { stopBy }) },
    effects: notifiedEvents(service, state.run, [state.notified, now]),
  };
};
