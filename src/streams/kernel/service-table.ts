// The service table, with cheap updates: chunks of 32, so that a step over a thousand services copies 64
// slots and not a thousand. Plain JSON, and never changed in place.
import type { ServiceId } from '../domain/ids.ts';
import type { Service } from '../domain/service/service.ts';

const CHUNK = 32;

export interface Roster {
  /** Where each service is; changes only when services join or leave. */
  readonly slots: Readonly<Record<ServiceId, number>>;
  /** `null`: free. */
  readonly chunks: readonly (readonly (Service | null)[])[];
  readonly size: number;
}

export const EMPTY_ROSTER: Roster = { slots: {}, chunks: [], size: 0 };

/** `undefined` if no service has this id. */
export const serviceAt = (roster: Roster, id: ServiceId): Service | undefined => {
  const slot = roster.slots[id];
  if (slot === undefined) return undefined;
  return roster.chunks[Math.floor(slot / CHUNK)]?.[slot % CHUNK] ?? undefined;
};

const put = (chunks: Roster['chunks'], slot: number, entry: Service | null): Roster['chunks'] => {
  const at = Math.floor(slot / CHUNK);
  const chunk = chunks[at] ?? [];
  const changed = slot % CHUNK < chunk.length ? chunk.with(slot % CHUNK, entry) : [...chunk, entry];
  return at < chunks.length ? chunks.with(at, changed) : [...chunks, changed];
};

/** The roster with this service, which replaces one with the same id. */
export const withService = (roster: Roster, service: Service): Roster => {
  const id = service.spec.id;
  const slot = roster.slots[id];
  if (slot !== undefined) return { ...roster, chunks: put(roster.chunks, slot, service) };
  const next = roster.chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  return {
    slots: { ...roster.slots, [id]: next },
    chunks: put(roster.chunks, next, service),
    size: roster.size + 1,
  };
};

/**
 * The roster without this service. It is compacted, so that it does not grow with services that come and go.
 */
export const withoutService = (roster: Roster, id: ServiceId): Roster =>
  rosterOf(servicesOf(roster).filter((service) => service.spec.id !== id));

/** Many services at the cost of one. */
export const rosterOf = (services: readonly Service[]): Roster => {
  const chunks: Service[][] = [];
  services.forEach((service, slot) => (chunks[Math.floor(slot / CHUNK)] ??= []).push(service));
  const slots = Object.fromEntries(services.map((service, slot) => [service.spec.id, slot]));
  return { slots, chunks, size: services.length };
};

/** All services, in the order in which they joined. */
export const servicesOf = (roster: Roster): readonly Service[] =>
  roster.chunks.flatMap((chunk) => chunk.filter((entry) => entry !== null));
