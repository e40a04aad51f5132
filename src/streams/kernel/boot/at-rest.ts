// Services that are not wanted and have nothing running, and all services after a shutdown. A shutdown stays
// one even if a full disk kept it from the records: the end itself was recorded elsewhere.
import type { Service, ServiceState } from '../../domain/service/service.ts';
import type { Event } from '../../domain/event.ts';

/** Not wanted now and not resumed later. */
export const unwanted = (service: Service, actual: ServiceState): Service => ({
  ...service,
  wanted: 'down',
  resume: false,
  actual,
});

const AT_REST: ServiceState = { tag: 'down', why: { tag: 'asked' } };

/** The service at rest: no run, no rollout, no children. */
export const atRest = ({ rollout: _, children: __, ...service }: Service): Service =>
  unwanted(service, AT_REST);

type Booted = Extract<Event, { type: 'booted' }>;

/**
 * The event after a shutdown: no service is wanted, dead ones are stopped, live ones stop. Otherwise
 * unchanged.
 */
export const afterShutdown = (booted: Booted): Booted => {
  if (booted.shutDown !== true) return booted;
  const alive = new Set(booted.found.map(({ service }) => service));
  const restored = booted.restored.map((service) =>
    alive.has(service.spec.id) ? { ...service, wanted: 'down' as const, resume: false } : atRest(service),
  );
  return { ...booted, restored, unrecorded: [] };
};
