// For which of its needs would a service wait in vain? For one that is not there, and that nothing under way makes be there.
import { isCleanEnd } from '../domain/errors/clean-end.ts';
import type { ServiceId } from '../domain/ids.ts';
import type { Service } from '../domain/service/service.ts';
import { nodeOf, type Graph } from './graph.ts';
import { satisfies } from './standing.ts';

export interface Neighbours {
  readonly graph: Graph;
  readonly find: (id: ServiceId) => Service | undefined;
  /** About to be brought to a run. */
  readonly coming?: ReadonlySet<ServiceId>;
}

/** What is known of each so far: they may all need one another's needs. */
type Known = Map<ServiceId, ServiceId | undefined>;

/** It is not there for its dependents, and nothing under way makes it so. */
const isHopeless = (service: Service, around: Neighbours, known: Known): boolean => {
  switch (service.actual.tag) {
    case 'backing-off':
      return !isCleanEnd(service.actual.error);
    case 'broken':
    case 'casualty':
      return true;
    case 'down':
      return service.actual.why.tag !== 'skipped';
    case 'waiting':
      return blockerAmong(service, around, known) !== undefined;
    default:
      return service.wanted === 'down';
  }
};

const blockerAmong = ({ spec }: Service, around: Neighbours, known: Known): ServiceId | undefined => {
  if (known.has(spec.id)) return known.get(spec.id);
  const blocker = nodeOf(around.graph, spec.id).needs.find(({ service: id, condition }) => {
    const found = around.find(id);
    if (found === undefined) return true;
    return (
      around.coming?.has(id) !== true && !satisfies(found, condition) && isHopeless(found, around, known)
    );
  })?.service;
  known.set(spec.id, blocker);
  return blocker;
};

/** The dependency for which it waits, or would wait, in vain. */
export const blockerOf = (service: Service, around: Neighbours): ServiceId | undefined =>
  blockerAmong(service, around, new Map());
