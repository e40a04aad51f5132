// Presents a child (a process that a service requested) to the state table as a run. This run has the
// declaration of the service, except for its command, and is never restarted. So verified stops, run tags and
// adoption work for children too.
// Rules: `docs/behaviour.md`, "Children that a service asks for", "A child is a run", "When it ends".
import { freshRun, type Service, type ServiceState } from '../domain/service/service.ts';
import type { EffectOf } from '../domain/effect.ts';
import type { Child } from '../domain/service/child.ts';
import type { Run } from '../domain/service/service-run.ts';
import type { ServiceSpec } from '../domain/declared/spec.ts';
import { resolvedService } from '../rollout/placeholders.ts';

/** Returns the declaration of the service with the command of the child. */
const specOf = (spec: ServiceSpec, { argv }: Child): ServiceSpec => {
  const { cron: _cron, sockets: _sockets, reload: _reload, stopCommand: _stop, ...rest } = spec;
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

/** Returns the declaration of a child: each time the same object, for comparison by identity. */
const keptSpec = (spec: ServiceSpec, child: Child): ServiceSpec => {
  const known = made.get(spec) ?? new WeakMap<readonly string[], ServiceSpec>();
  made.set(spec, known);
  const before = known.get(child.argv);
  if (before !== undefined) return before;
  const one = specOf(spec, child);
  known.set(child.argv, one);
  return one;
};

/** Returns the child as a run that has no dependencies and is never restarted. */
export const asRun = (service: Service, child: Child): Run => ({
  ...freshRun(keptSpec(resolvedService(service).spec, child)),
  wanted: child.wanted,
  actual: child.actual,
  runs: child.run,
});

/** Returns the effect that spawns the process of the child. */
export const spawnOfChild = (service: Service, child: Child): EffectOf<'spawn'> => {
  const { spec } = asRun(service, child);
  return { type: 'spawn', service: spec.id, run: child.run, spec, fifoPair: 0, child: child.name };
};

const isOngoing = (state: ServiceState): state is Child['actual'] =>
  state.tag === 'spawning' || state.tag === 'starting' || state.tag === 'up' || state.tag === 'stopping';

/** Returns the child after a state change of its run; `undefined` if the run has ended. */
export const asChild = (child: Child, { actual, wanted, lastExit }: Run): Child | undefined =>
  isOngoing(actual) ? { ...child, actual, wanted, ...(lastExit && { exit: lastExit.status }) } : undefined;
