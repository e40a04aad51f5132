// A shutdown is not undone although a full disk kept it from the records: the end itself was recorded where it had room.
import type { Event } from '../../domain/event.ts';
import { atRest } from './at-rest.ts';

type Booted = Extract<Event, { type: 'booted' }>;

/** After a shutdown nothing is wanted: what is dead has stopped, and what is alive stops. Otherwise the event as it is. */
export const afterShutdown = (booted: Booted): Booted => {
  if (booted.shutDown !== true) return booted;
  const alive = new Set(booted.found.map(({ service }) => service));
  const restored = booted.restored.map((service) =>
    alive.has(service.spec.id) ? { ...service, wanted: 'down' as const, resume: false } : atRest(service),
  );
  return { ...booted, restored, unrecorded: [] };
};
