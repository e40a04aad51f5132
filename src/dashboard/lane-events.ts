// What an event adds to the timeline. The server makes the lanes of stored events, the page adds those that
// follow.
import type { EventDocument } from '../streams/wire/documents/event-document.ts';
import type { Mark, Span } from './page-messages.ts';

/** The lane of the supervisor. Ids of services have a slash. */
export const SUPERVISOR_LANE = 'supervisor';

/** Returns the lane of the event: the id of its service, or that of the supervisor. */
export const laneOfEvent = ({ kind, project, service }: EventDocument): string | undefined => {
  if (project !== null && service !== null) return `${project}/${service}`;
  return kind === 'supervisor' ? SUPERVISOR_LANE : undefined;
};

/** Returns the step of a rollout, or what happened, in a few words. */
const textOf = ({ kind, reason, cause, rollout, health }: EventDocument): string => {
  if (kind === 'rollout' && rollout !== null) return `${rollout.strategy} ${rollout.step}`;
  return reason ?? (kind === 'health' ? health : cause);
};

/** Returns the state that begins with the event; `undefined` if the event is a mark. */
export const spanOf = ({ kind, at, to, cause, reason, run }: EventDocument): Span | undefined =>
  (kind === 'state' || kind === 'supervisor') && to !== null
    ? { at: Date.parse(at), state: to, cause, reason, run }
    : undefined;

export const markOf = (event: EventDocument): Mark => ({
  at: Date.parse(event.at),
  kind: event.kind,
  text: textOf(event),
});
