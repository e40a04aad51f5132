// The table of all services: plain JSON that is never changed in place. The services are in chunks of 32, so
// that a step that changes one of a thousand services copies about 64 entries.
import type { ServiceId } from '../domain/ids.ts';
import type { Service } from '../domain/service/service.ts';

const CHUNK = 32;

export interface ServiceTable {
  /** The position of each service in the table. Positions change only when services are added or removed. */
  readonly slots: Readonly<Record<ServiceId, number>>;
  /** The services by position, in chunks of 32; `null` marks a free position. */
  readonly chunks: readonly (readonly (Service | null)[])[];
  readonly size: number;
}

export const EMPTY_SERVICE_TABLE: ServiceTable = { slots: {}, chunks: [], size: 0 };

/** Returns the service with this id. */
export const serviceAt = (table: ServiceTable, id: ServiceId): Service | undefined => {
  const slot = table.slots[id];
  if (slot === undefined) return undefined;
  return table.chunks[Math.floor(slot / CHUNK)]?.[slot % CHUNK] ?? undefined;
};

const put = (chunks: ServiceTable['chunks'], slot: number, entry: Service | null): ServiceTable['chunks'] => {
  const at = Math.floor(slot / CHUNK);
  const chunk = chunks[at] ?? [];
  const changed = slot % CHUNK < chunk.length ? chunk.with(slot % CHUNK, entry) : [...chunk, entry];
  return at < chunks.length ? chunks.with(at, changed) : [...chunks, changed];
};

/** Returns the table with this service added or replaced. */
export const withService = (table: ServiceTable, service: Service): ServiceTable => {
  const id = service.spec.id;
  const slot = table.slots[id];
  if (slot !== undefined) return { ...table, chunks: put(table.chunks, slot, service) };
  const next = table.chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  return {
    slots: { ...table.slots, [id]: next },
    chunks: put(table.chunks, next, service),
    size: table.size + 1,
  };
};

/**
 * Returns the table without these services. If most positions are free after this, returns a new table that
 * has no free positions.
 */
export const withoutServices = (table: ServiceTable, gone: ReadonlySet<ServiceId>): ServiceTable => {
  const slots: Record<ServiceId, number> = { ...table.slots };
  let { chunks, size } = table;
  for (const id of gone) {
    const slot = slots[id];
    if (slot === undefined) continue;
    chunks = put(chunks, slot, null);
    Reflect.deleteProperty(slots, id);
    size -= 1;
  }
  const left = { slots, chunks, size };
  return chunks.length * CHUNK > 2 * (size + CHUNK) ? serviceTableOf(servicesOf(left)) : left;
};

/** Returns a table of these services; this is cheaper than adding the services one by one. */
export const serviceTableOf = (services: readonly Service[]): ServiceTable => {
  const chunks: Service[][] = [];
  services.forEach((service, slot) => (chunks[Math.floor(slot / CHUNK)] ??= []).push(service));
  const slots = Object.fromEntries(services.map((service, slot) => [service.spec.id, slot]));
  return { slots, chunks, size: services.length };
};

/** Returns all services in the order in which they were added. */
export const servicesOf = (table: ServiceTable): readonly Service[] =>
  table.chunks.flatMap((chunk) => chunk.filter((entry) => entry !== null));
