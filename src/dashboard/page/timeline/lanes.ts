// The timeline's lanes: one for each service and the supervisor, with spans of states and other moments.
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

/** The answer to the question and the live events overlap: what is known is not added again. */
const withEvent = (lane: Lane, event: EventDocument): Lane => {
  const span = spanOf(event);
  if (span === undefined) return event.kind === 'state' ? lane : withMark(lane, markOf(event));
  const last = lane.spans.at(-1);
  return last !== undefined && last.at >= span.at ? lane : { ...lane, spans: [...lane.spans, span] };
};

/** Returns the lanes with what happened since. A service without a lane gets one. */
export const extended = (lanes: Lanes, events: readonly EventDocument[]): Lanes => {
  const after = new Map(lanes);
  for (const event of events) {
    const id = laneOfEvent(event);
    if (id === undefined) continue;
    after.set(id, withEvent(after.get(id) ?? { service: id, spans: [], marks: [] }, event));
  }
  return after;
};

/** The failure of `from` made `to` a casualty. */
export interface Cascade {
  readonly at: number;
  readonly from: string;
  readonly to: string;
}

/** A casualty follows its dependency within this time, ms: it is stopped first, which takes a while. */
const FOLLOWS_MS = 60_000;

const failureBefore = (lane: Lane | undefined, at: number): Span | undefined => {
  const past = lane?.spans.filter((span) => span.at <= at) ?? [];
  return past.findLast(({ state, at: began }) => isFailing(state) && at - began < FOLLOWS_MS);
};

/** Returns the cascades: for each span of a casualty the dependency whose failure came before it. */
export const cascadesIn = (lanes: Lanes, edges: readonly Edge[]): readonly Cascade[] =>
  edges.flatMap(({ service, needs }) => {
    const spans = lanes.get(service)?.spans ?? [];
    return spans
      .filter(({ state, at }) => state === 'casualty' && failureBefore(lanes.get(needs), at) !== undefined)
      .map(({ at }) => ({ at, from: needs, to: service }));
  });
