// Puts services at rest: no run, and the desired state is down. An offline stop does this with the services
// that it does not stop. A new supervisor does it if the previous one was shut down: the records of the
// services may not say so, because a full disk can keep them from being written.
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
 * If the previous supervisor was shut down, returns the `booted` event with all services at rest, so that
 * none starts.
 */
export const afterShutdown = (booted: Booted): Booted => {
  if (booted.shutDown !== true) return booted;
  const alive = new Set(booted.found.map(({ service }) => service));
  const restored = booted.restored.map((service) =>
    alive.has(service.spec.id) ? { ...service, wanted: 'down' as const, resume: false } : atRest(service),
  );
  return { ...booted, restored, unrecorded: [] };
};
