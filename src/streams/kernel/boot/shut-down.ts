// A shutdown stays one even if a full disk kept it from the records: the end itself was recorded elsewhere.
import type { Event } from '../../domain/event.ts';
import { atRest } from './at-rest.ts';

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
