// Turns an event into a span or a mark of the timeline. The server makes the lanes from stored events, and
// the page adds each new event to its lane.
import type { EventDocument } from '../streams/wire/documents/event-document.ts';
import type { Mark, Span } from './page-messages.ts';

/** The id of the supervisor's lane. No service has it, because ids of services contain a slash. */
export const SUPERVISOR_LANE = 'supervisor';

/** Returns the id of the event's lane: the service's id, or `SUPERVISOR_LANE`. */
export const laneOfEvent = ({ kind, project, service }: EventDocument): string | undefined => {
  if (project !== null && service !== null) return `${project}/${service}`;
  return kind === 'supervisor' ? SUPERVISOR_LANE : undefined;
};

/**
 * Returns a few words for the event: the step of a rollout, or else the reason. Without a reason these are
 * the health, for an event about the health, or the cause.
 */
const textOf = ({ kind, reason, cause, rollout, health }: EventDocument): string => {
  if (kind === 'rollout' && rollout !== null) return `${rollout.strategy} ${rollout.step}`;
  return reason ?? (kind === 'health' ? health : cause);
};

/** Returns the span of the state that begins with the event, or `undefined` if no new state begins. */
export const spanOf = ({ kind, at, to, cause, reason, run }: EventDocument): Span | undefined =>
  (kind === 'state' || kind === 'supervisor') && to !== null
    ? { at: Date.parse(at), state: to, cause, reason, run }
    : undefined;

export const markOf = (event: EventDocument): Mark => ({
  at: Date.parse(event.at),
  kind: event.kind,
  text: textOf(event),
});
