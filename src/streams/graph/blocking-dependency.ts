// Finds a dependency for which a service would wait in vain: the dependency is not ready, and nothing in
// progress will make it ready.
import { isCleanEnd } from '../domain/errors/error.ts';
import type { ServiceId } from '../domain/ids.ts';
import type { Run } from '../domain/service/service-run.ts';
import type { Service } from '../domain/service/service.ts';
import { isRequired, nodeOf, type Graph } from './graph.ts';
import { satisfies } from './dependency-state.ts';

export interface BlockerFacts {
  readonly graph: Graph;
  readonly find: (id: ServiceId) => Service | undefined;
  /** Services that the present command will start. They do not block their dependents. */
  readonly coming?: ReadonlySet<ServiceId>;
}

/** The results found so far, by service, so that a dependency of several services is examined only once. */
type Known = Map<ServiceId, ServiceId | undefined>;

/** True if dependents would wait for the service in vain. */
const isHopeless = (service: Service, around: BlockerFacts, known: Known): boolean => {
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

const blockerAmong = (
  { spec }: Pick<Run, 'spec'>,
  around: BlockerFacts,
  known: Known,
): ServiceId | undefined => {
  if (known.has(spec.id)) return known.get(spec.id);
  const blocker = nodeOf(around.graph, spec.id).needs.find((need) => {
    const { service: id, condition } = need;
    const found = around.find(id);
    if (!isRequired(need)) return false;
    if (found === undefined) return true;
    return (
      around.coming?.has(id) !== true && !satisfies(found, condition) && isHopeless(found, around, known)
    );
  })?.service;
  known.set(spec.id, blocker);
  return blocker;
};

/** Returns a dependency for which the run waits, or would wait, in vain; `undefined` if there is none. */
export const blockerOf = (run: Pick<Run, 'spec'>, around: BlockerFacts): ServiceId | undefined =>
  blockerAmong(run, around, new Map());
