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

/** It is not there for its dependents, and nothing under way makes it so. */
const isHopeless = (service: Service, around: Neighbours): boolean => {
  switch (service.actual.tag) {
    case 'backing-off':
      return !isCleanEnd(service.actual.error);
    case 'broken':
    case 'casualty':
      return true;
    case 'down':
      return service.actual.why.tag !== 'skipped';
    case 'waiting':
      return blockerOf(service, around) !== undefined;
    default:
      return service.wanted === 'down';
  }
};

/** The dependency for which it waits, or would wait, in vain. */
export const blockerOf = ({ spec }: Service, around: Neighbours): ServiceId | undefined =>
  nodeOf(around.graph, spec.id).needs.find(({ service: id, condition }) => {
    const found = around.find(id);
    if (found === undefined) return true;
    return around.coming?.has(id) !== true && !satisfies(found, condition) && isHopeless(found, around);
  })?.service;
