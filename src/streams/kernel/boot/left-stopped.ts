// Puts services at rest: the desired state is down, and there is no run. An offline stop treats the services
// that it does not stop as at rest. A new supervisor does so after a shutdown: the records may still say that
// services should run, because a full disk can prevent the last write.
// Rules: `docs/behaviour.md`, "One supervisor".
import type { Service, ServiceState } from '../../domain/service/service.ts';
import type { Event } from '../../domain/event.ts';

/** Returns the service in the state `actual` with its desired state down, so that no supervisor starts it. */
export const unwanted = (service: Service, actual: ServiceState): Service => ({
  ...service,
  wanted: 'down',
  resume: false,
  actual,
});

const AT_REST: ServiceState = { tag: 'down', why: { tag: 'asked' } };

/** Returns the service at rest: desired state down, no run, no rollout, no children. */
export const atRest = ({ rollout: _, children: __, ...service }: Service): Service =>
  unwanted(service, AT_REST);

type Booted = Extract<Event, { type: 'booted' }>;

/**
 * If the previous supervisor was shut down, returns a copy of the `booted` event after which no service
 * starts: services with a live run have the desired state down, and all others are at rest.
 */
export const afterShutdown = (booted: Booted): Booted => {
  if (booted.shutDown !== true) return booted;
  const alive = new Set(booted.found.map(({ service }) => service));
  const restored = booted.restored.map((service) =>
    alive.has(service.spec.id) ? { ...service, wanted: 'down' as const, resume: false } : atRest(service),
  );
  return { ...booted, restored, unrecorded: [] };
};
