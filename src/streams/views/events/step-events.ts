// All events of one step: services, then rollouts and their second runs, then children.
import type { ServiceId } from '../../domain/ids.ts';
import type { Service } from '../../domain/service/service.ts';
import { isMove, isTurn } from '../../kernel/derived/move.ts';
import { serviceAt } from '../../kernel/roster.ts';
import type { Step } from '../../kernel/step.ts';
import type { EventDocument } from '../../wire/documents/event-document.ts';
import { actEvents } from './act-events.ts';
import { childEvent } from './child-event.ts';
import { healthEvents } from './health-events.ts';
import { rolloutEvent, runEvents } from './rollout-events.ts';
import { stateEvents } from './state-events.ts';

/** The events of this step as documents, in order. */
export const stepEvents = ({ at, moves, rollouts, children, state }: Step): readonly EventDocument[] => {
  const byId = (id: ServiceId): Service | undefined => serviceAt(state.roster, id);
  const context = { at, byId };
  return [
    ...moves.flatMap((move) => [
      ...stateEvents(move, context),
      ...(isMove(move) ? [...actEvents(move, context), ...healthEvents(move, context)] : []),
    ]),
    ...rollouts.flatMap((each) => (isTurn(each) ? [rolloutEvent(each, context)] : runEvents(each, context))),
    ...children.map((turn) => childEvent(turn, context)),
  ];
};
