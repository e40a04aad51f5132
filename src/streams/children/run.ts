// A child as the table of services takes it: a service of its own that nobody restarts, declared as its parent is. So
// whatever holds of a run (verified stops, marks, adoption) holds of a child.
import { freshService } from '../domain/service/fresh-service.ts';
import type { EffectOf } from '../domain/effect.ts';
import type { Child } from '../domain/service/child.ts';
import type { Service, ServiceState } from '../domain/service/service.ts';
import type { ServiceSpec } from '../domain/declared/spec.ts';
import { inPlace } from '../rollout/in-place.ts';

/** Its confinement, its directory and its variables are those of the service. */
const specOf = (spec: ServiceSpec, { argv }: Child): ServiceSpec => {
  const { cron: _cron, sockets: _sockets, reload: _reload, ...rest } = spec;
  return {
    ...rest,
    kind: 'service',
    launch: { tag: 'exec', argv },
    restartPolicy: 'never',
    hooks: {},
    skip: false,
    deployment: { strategy: 'immediate', gracePeriod: spec.deployment.gracePeriod },
  };
};

const made = new WeakMap<ServiceSpec, WeakMap<readonly string[], ServiceSpec>>();

/** The same one each time for a child of the same declaration. */
const keptSpec = (spec: ServiceSpec, child: Child): ServiceSpec => {
  const known = made.get(spec) ?? new WeakMap<readonly string[], ServiceSpec>();
  made.set(spec, known);
  const before = known.get(child.argv);
  if (before !== undefined) return before;
  const one = specOf(spec, child);
  known.set(child.argv, one);
  return one;
};

/** With the state and the run of the child, and nothing to wait for or to restart. */
export const asService = (service: Service, child: Child): Service => ({
  ...freshService(keptSpec(inPlace(service).spec, child)),
  wanted: child.wanted,
  actual: child.actual,
  runs: child.run,
});

/** How its process is asked for. */
export const spawnOfChild = (service: Service, child: Child): EffectOf<'spawn'> => {
  const { spec } = asService(service, child);
  return { type: 'spawn', service: spec.id, run: child.run, spec, lane: 0, child: child.name };
};

const isOngoing = (state: ServiceState): state is Child['actual'] =>
  state.tag === 'spawning' || state.tag === 'starting' || state.tag === 'up' || state.tag === 'stopping';

/** The child after its run has moved; `undefined`: it is over. */
export const asChild = (child: Child, { actual, wanted, lastExit }: Service): Child | undefined =>
  isOngoing(actual) ? { ...child, actual, wanted, ...(lastExit && { exit: lastExit.status }) } : undefined;
