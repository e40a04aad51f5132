// Sends alerts while subscribed: stores open incidents and undelivered messages in `alerts.json`, sends the
// messages, and reports the results. `src/streams/alerts` decides which messages are due at which time.
// Nothing here delays a service.
//
// Rules: `docs/behaviour.md`, "Alerts", "When the supervisor ends", "A receiver never disturbs a service".
import {
  auditTime,
  connect,
  defer,
  filter,
  finalize,
  ignoreElements,
  merge,
  type Observable,
  tap,
} from 'rxjs';
import { replaceFile } from '../../os/files/replace-file.ts';
import { type AlertPorts, sendAlert } from '../../sinks/alerts/send-alert.ts';
import { wallClock } from '../../sources/clocks.ts';
import { readAlerts } from '../../sources/store/alert-record.ts';
import {
  type AlertTurn,
  type AlertTurnPorts,
  alertTurns,
} from '../../streams/alerts/incidents-after-step.ts';
import { type AlertState, resumed, type Settled } from '../../streams/alerts/deliveries.ts';
import { errorSentence } from '../../streams/domain/errors/error-sentence.ts';
import { messageOf } from '../../streams/domain/errors/thrown.ts';
import type { Derived } from '../../streams/kernel/after-step/step-streams.ts';
import { serviceAt } from '../../streams/kernel/service-table.ts';
import type { SupervisorState } from '../../streams/kernel/state.ts';
import {
  alertMessage,
  notDelivered,
  notDeliveredEvent,
  sentEvent,
} from '../../streams/views/events/alert-events.ts';
import { layoutOf } from '../../streams/wire/layout.ts';
import type { EventDocument } from '../../streams/wire/documents/event-document.ts';

interface AlertDeps extends AlertPorts {
  readonly read: () => SupervisorState;
  readonly onEvent: (event: EventDocument) => void;
  readonly logError: (text: string) => void;
}

/**
 * Maximum time that a change waits until it is written, ms, so that many incidents at once cause few writes.
 */
const SAVE_MS = 100;

/**
 * True if the result of this turn must be saved at once, because a later supervisor would otherwise send a
 * message a second time.
 */
const isUrgent = ({ begun, settled }: AlertTurn): boolean =>
  begun.length > 0 || settled.some(({ attempts }) => attempts > 0);

/**
 * Returns a function that writes the state if it changed. Of several failures in a row, it reports only the
 * first.
 */
const recorder = ({ dataDir, logError }: AlertDeps, first: AlertState): ((state: AlertState) => void) => {
  let written = first;
  let isTold = false;
  return (state) => {
    if (state === written) return;
    try {
      replaceFile(layoutOf(dataDir).alerts, JSON.stringify(state), { backup: false, lasting: 'nothing' });
      written = state;
      isTold = false;
    } catch (error) {
      if (!isTold) logError(`alerts cannot be saved: ${messageOf(error)}; they are sent all the same`);
      isTold = true;
    }
  };
};

const report = ({ message, attempts, failure }: Settled, { onEvent, logError }: AlertDeps): void => {
  const at = wallClock.now();
  if (failure === undefined) return onEvent(sentEvent(message, at));
  const error = notDelivered(message, attempts, failure);
  onEvent(notDeliveredEvent(message, error, at));
  logError(`${error.code} ${errorSentence(error)}`);
};

export interface AlertSender {
  /** Sends alerts about the services of the state while subscribed. Never emits. */
  readonly run$: Observable<never>;
  /** Returns the open incidents. */
  readonly open: () => AlertState['open'];
}

/** Returns a sender that continues with the incidents and messages that the previous supervisor left. */
export const alertSender = ({ step$ }: Pick<Derived, 'step$'>, deps: AlertDeps): AlertSender => {
  let state = readAlerts(deps.dataDir, deps.logError);
  const save = recorder(deps, state);
  const ports: AlertTurnPorts = {
    clock: wallClock,
    messageOf: (notice, at) =>
      alertMessage(notice, { at, byId: (id) => serviceAt(deps.read().serviceTable, id) }),
    send: (delivery) => defer(() => sendAlert(delivery, deps)),
  };
  const run$ = defer(() => alertTurns(step$, resumed(state), ports)).pipe(
    tap((turn) => (state = turn.state)),
    connect((turn$) =>
      merge(
        turn$.pipe(filter(isUrgent)),
        turn$.pipe(auditTime(SAVE_MS)),
        turn$.pipe(
          tap(({ settled }) => settled.forEach((one) => report(one, deps))),
          ignoreElements(),
        ),
      ),
    ),
    tap(() => save(state)),
    finalize(() => save(state)),
    ignoreElements(),
  );
  return { run$, open: () => state.open };
};
