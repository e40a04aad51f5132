// Returns services at rest (desired state down, no run): those that must not run and have no processes, and
// all services after a shutdown. The shutdown is recorded apart from the services, so it counts even if a
// full disk kept their records from being written.
import type { Service, ServiceState } from '../../domain/service/service.ts';
import type { Event } from '../../domain/event.ts';

/**
 * Returns the service in the state `actual`, with its desired state down, so that neither this supervisor nor
 * the next one starts it.
 */
export const unwanted = (service: Service, actual: ServiceState): Service => ({
  ...service,
  wanted: 'down',
  resume: false,
  actual,
});

const AT_REST: ServiceState = { tag: 'down', why: { tag: 'asked' } };

/** Returns the service at rest: its desired state is down, and it has no run, no rollout and no children. */
export const atRest = ({ rollout: _, children: __, ...service }: Service): Service =>
  unwanted(service, AT_REST);

type Booted = Extract<Event, { type: 'booted' }>;

/**
 * Returns the `booted` event so that no service starts after a recorded shutdown: a service without processes
 * is at rest, and one with processes is stopped. Without a shutdown the event is unchanged.
 */
export const afterShutdown = (booted: Booted): Booted => {
  if (booted.shutDown !== true) return booted;
  const alive = new Set(booted.found.map(({ service }) => service));
  const restored = booted.restored.map((service) =>
    alive.has(service.spec.id) ? { ...service, wanted: 'down' as const, resume: false } : atRest(service),
  );
  return { ...booted, restored, unrecorded: [] };
};
