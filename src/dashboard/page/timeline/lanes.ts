// The lanes of the timeline: one for the supervisor and one for each service, with spans of states and marks.
import type { EventDocument } from '../../../streams/wire/documents/event-document.ts';
import { laneOfEvent, markOf, spanOf } from '../../lane-events.ts';
import type { Edge, Lane, Mark, Span } from '../../page-messages.ts';
import { isFailing } from '../../../streams/views/trouble.ts';

export type Lanes = ReadonlyMap<string, Lane>;

export const lanesById = (lanes: readonly Lane[]): Lanes =>
  new Map(lanes.map((lane) => [lane.service, lane]));

const withMark = (lane: Lane, mark: Mark): Lane => {
  const last = lane.marks.at(-1);
  const isKnown = last?.at === mark.at && last.text === mark.text;
  return isKnown ? lane : { ...lane, marks: [...lane.marks, mark] };
};

/**
 * Returns the lane with the event added. An event that the lane already has is not added, because the lanes
 * from the server may contain events that also arrive live.
 */
const withEvent = (lane: Lane, event: EventDocument): Lane => {
  const span = spanOf(event);
  if (span === undefined) return event.kind === 'state' ? lane : withMark(lane, markOf(event));
  const last = lane.spans.at(-1);
  return last !== undefined && last.at >= span.at ? lane : { ...lane, spans: [...lane.spans, span] };
};

/** Returns the lanes with the events added. A service without a lane gets a new lane. */
export const extended = (lanes: Lanes, events: readonly EventDocument[]): Lanes => {
  const after = new Map(lanes);
  for (const event of events) {
    const id = laneOfEvent(event);
    if (id === undefined) continue;
    after.set(id, withEvent(after.get(id) ?? { service: id, spans: [], marks: [] }, event));
  }
  return after;
};

/** The fact that the failure of the service `from` made the service `to` a casualty, at the time `at`. */
export interface Cascade {
  readonly at: number;
  readonly from: string;
  readonly to: string;
}

/**
 * The longest time from a failure to the casualties that it causes, ms. A service must be stopped before it
 * becomes a casualty, and this may take a while.
 */
const FOLLOWS_MS = 60_000;

const failureBefore = (lane: Lane | undefined, at: number): Span | undefined => {
  const past = lane?.spans.filter((span) => span.at <= at) ?? [];
  return past.findLast(({ state, at: began }) => isFailing(state) && at - began < FOLLOWS_MS);
};

/**
 * Returns the cascades: one for each time a service became a casualty soon after a failure of its dependency.
 */
export const cascadesIn = (lanes: Lanes, edges: readonly Edge[]): readonly Cascade[] =>
  edges.flatMap(({ service, needs }) => {
    const spans = lanes.get(service)?.spans ?? [];
    return spans
      .filter(({ state, at }) => state === 'casualty' && failureBefore(lanes.get(needs), at) !== undefined)
      .map(({ at }) => ({ at, from: needs, to: service }));
  });
