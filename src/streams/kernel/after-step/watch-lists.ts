// Computes what must be watched after a step (timers, probes, processes, files), for the services and
// requests that the step changed.
import type { Watch, Watching } from '../../domain/watch.ts';
import { usersWithChildren } from '../../children/check-caller-and-parent.ts';
import { allWatchesOf } from '../../rollout/rollout-watches.ts';
import type { Request } from '../requests/request.ts';
import { serviceAt, servicesOf, type ServiceTable } from '../service-table.ts';
import type { Step } from '../step.ts';

const traceWatch = ({ id }: Request, serviceTable: ServiceTable): Watch => ({
  ...{ type: 'trace', key: `trace:${id}`, request: id },
  users: usersWithChildren(servicesOf(serviceTable)),
});

const manifestsWatch = ({ id, paths, readings }: Request): Watch => ({
  ...{ type: 'manifests', key: `manifests:${id}`, request: id, paths },
  ...(readings && { readings }),
});

const requestWatches = (request: Request, serviceTable: ServiceTable): readonly Watch[] => {
  if (request.phase === 'loading') return [manifestsWatch(request)];
  if (request.phase === 'tracing') return [traceWatch(request, serviceTable)];
  const { id, deadline: due } = request;
  return due === undefined ? [] : [{ type: 'deadline', key: `deadline:${id}@${due}`, request: id, due }];
};

/**
 * Returns the watches of each service and request that the step changed. A service or request that the step
 * removed has no watches.
 */
export const watchings = ({ state, services, requests }: Step): readonly Watching[] => [
  ...services.map((id): Watching => {
    const service = serviceAt(state.serviceTable, id);
    return { owner: id, watches: service ? allWatchesOf(service, state.settings) : [] };
  }),
  ...requests.map((id): Watching => {
    const request = state.requests[id];
    return { owner: `request:${id}`, watches: request ? requestWatches(request, state.serviceTable) : [] };
  }),
];
