// Events as documents: the events that one input to the kernel causes, and the events about the supervisor
// itself.
import type { ServiceId } from '../../domain/ids.ts';
import type { Service } from '../../domain/service/service.ts';
import type { Instant } from '../../domain/time.ts';
import { isMove, isTurn } from '../../kernel/after-step/state-change.ts';
import { serviceAt } from '../../kernel/service-table.ts';
import type { Step } from '../../kernel/step.ts';
import { childEvent } from './child-event.ts';
import { actEvents, healthEvents, scheduleEvents, warningEvents } from './incident-events.ts';
import { failedEvents, receivedEvents } from './command-events.ts';
import { reportEvents } from './report-events.ts';
import { rolloutEvent, runEvents } from './rollout-events.ts';
import { stateEvents } from './state-events.ts';
import { timeText } from '../words/time-text.ts';
import type { EventDocument } from '../../wire/documents/event-document.ts';

/**
 * Returns the events that one input causes, in this order: received command, services, rollouts, children,
 * reports of services, failed commands.
 */
export const stepEvents = ({
  at,
  event,
  moves,
  rollouts,
  children,
  effects,
  state,
}: Step): readonly EventDocument[] => {
  const byId = (id: ServiceId): Service | undefined => serviceAt(state.serviceTable, id);
  const context = { at, byId };
  return [
    ...receivedEvents(event, at),
    ...moves.flatMap((move) => [
      ...(isMove(move) ? warningEvents(move, context) : []),
      ...stateEvents(move, context),
      ...(isMove(move)
        ? [...actEvents(move, context), ...healthEvents(move, context), ...scheduleEvents(move, context)]
        : []),
    ]),
    ...rollouts.flatMap((each) =>
      isTurn(each)
        ? [rolloutEvent(each, context)]
        : [...warningEvents(each, context), ...runEvents(each, context)],
    ),
    ...children.map((turn) => childEvent(turn, context)),
    ...effects.flatMap((effect) => (effect.type === 'report' ? reportEvents(effect, context) : [])),
    ...effects.flatMap((effect) => failedEvents(effect, at)),
  ];
};

export interface SupervisorNews {
  readonly at: Instant;
  readonly pid: number;
  readonly to: 'running' | 'stopped';
  readonly version: string;
}

/** Returns the event for the begin or the regular end of the supervisor. */
export const supervisorEvent = ({ at, pid, to, version }: SupervisorNews): EventDocument => ({
  schema: 'sup.event/1',
  at: timeText(at),
  kind: 'supervisor',
  project: null,
  service: null,
  child: null,
  from: null,
  to,
  health: 'unknown',
  run: null,
  pid,
  cause: to === 'running' ? 'supervisor-began' : 'supervisor-ended',
  reason: to === 'running' ? `the supervisor began, sup ${version}` : 'the supervisor ended',
  code: null,
  because_of: [],
  rollout: null,
});
