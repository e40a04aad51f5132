// Makes the timeline: for each service a lane of its states. A lane is made from stored events. If the last
// stored state is not the current state, the lane ends with a span that is made from the service's row.
import type { EventDocument } from '../../streams/wire/documents/event-document.ts';
import { laneOfEvent, markOf, spanOf } from '../lane-events.ts';
import type { Lane, Mark, ServiceRow, Span } from '../page-messages.ts';

/** The spans and marks of a lane while it is being built. */
interface OpenLane {
  spans: Span[];
  marks: Mark[];
}

const lanesOf = (events: readonly EventDocument[]): ReadonlyMap<string, OpenLane> => {
  const lanes = new Map<string, OpenLane>();
  for (const event of events) {
    const id = laneOfEvent(event);
    if (id === undefined) continue;
    const lane = lanes.get(id) ?? { spans: [], marks: [] };
    lanes.set(id, lane);
    const span = spanOf(event);
    if (span !== undefined) lane.spans.push(span);
    else if (event.kind !== 'state') lane.marks.push(markOf(event));
  }
  return lanes;
};

/** Returns the span that contains `since`, and all later spans. */
const spansSince = (spans: readonly Span[], since: number): readonly Span[] =>
  spans.slice(
    Math.max(
      0,
      spans.findLastIndex(({ at }) => at <= since),
    ),
  );

/**
 * Returns the current state as a span. The span begins when the run became ready or, if that time is not
 * known, when the run started.
 */
const presentOf = ({ state, reason, run, ready_at: ready, started_at: started }: ServiceRow): Span => ({
  at: Date.parse(ready ?? started ?? '') || 0,
  ...{ state, cause: 'recorded', reason, run: run === 0 ? null : run },
});

/** Returns the spans of a lane. Appends the current state if the last span has another state. */
const upToNow = (spans: readonly Span[], row: ServiceRow | undefined): readonly Span[] => {
  const last = spans.at(-1);
  if (row === undefined || last?.state === row.state) return spans;
  const present = presentOf(row);
  return [...spans, { ...present, at: Math.max(present.at, last?.at ?? 0) }];
};

interface TimelineQuery {
  /** The time at which the timeline begins, ms since 1970. */
  readonly since: number;
  /** The ids of the services. If absent, all services are shown. */
  readonly services?: readonly string[];
}

/**
 * Returns the lanes of `services`, in the order of `services`. Without `services`, returns all lanes. The
 * lanes of services that have a row are then first, in the order of the rows.
 */
export const timeline = (
  events: readonly EventDocument[],
  rows: ReadonlyMap<string, ServiceRow>,
  { since, services }: TimelineQuery,
): readonly Lane[] => {
  const lanes = lanesOf(events);
  const wanted = services ?? [...new Set([...rows.keys(), ...lanes.keys()])];
  return wanted.flatMap((service) => {
    const { spans, marks } = lanes.get(service) ?? { spans: [], marks: [] };
    const shown = spansSince(upToNow(spans, rows.get(service)), since);
    const recent = marks.filter(({ at }) => at >= since);
    return shown.length + recent.length === 0 ? [] : [{ service, spans: shown, marks: recent }];
  });
};
