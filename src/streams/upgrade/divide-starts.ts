// Divides the requested starts between the two programs of an upgrade. The old program waits for the results
// of the starts that it has begun. The new program performs the starts that have not begun.
import { childrenIn } from '../domain/service/child.ts';
import type { Event } from '../domain/event.ts';
import type { Unbegun } from '../domain/handed-commands.ts';
import { runsOf } from '../domain/service/runs-of.ts';
import type { Service } from '../domain/service/service.ts';
import { servicesOf } from '../kernel/service-table.ts';
import type { SupervisorState } from '../kernel/state.ts';

export interface Starts {
  /** Starts that have begun and have no known result yet. Their processes may exist. */
  readonly underWay: readonly Unbegun[];
  readonly unbegun: readonly Unbegun[];
}

const keyOf = ({ service, run }: Unbegun): string => `${service}#${run}`;

const spawningIn = (service: Service): readonly Unbegun[] =>
  [...runsOf(service), ...childrenIn(service)].flatMap(({ actual }) =>
    actual.tag === 'spawning' ? [{ service: service.spec.id, run: actual.run }] : [],
  );

const answerIn = (event: Event): readonly string[] =>
  event.type === 'spawned' || event.type === 'spawn-failed' ? [keyOf(event)] : [];

/**
 * Returns the starts with no known result, divided into starts that have begun and starts that have not.
 * `heldUp`: the starts that the old program has not begun.
 */
export const startsIn = (
  { serviceTable }: Pick<SupervisorState, 'serviceTable'>,
  events: readonly Event[],
  heldUp: readonly Unbegun[],
): Starts => {
  const answered = new Set(events.flatMap(answerIn));
  const outside = new Set(heldUp.map(keyOf));
  const awaited = servicesOf(serviceTable)
    .flatMap(spawningIn)
    .filter((one) => !answered.has(keyOf(one)));
  const isOutside = (one: Unbegun): boolean => outside.has(keyOf(one));
  return {
    underWay: awaited.filter((one) => !isOutside(one)),
    unbegun: awaited.filter(isOutside),
  };
};
