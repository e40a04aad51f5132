// The file `state_path` names the blue/green slot with the traffic. The supervisor reads the file for
// services that do not run, and writes it for those that run.
import type { Event } from '../../domain/event.ts';
import type { Service } from '../../domain/service/service.ts';
import type { LoadResult } from '../../domain/declared/manifest.ts';
import { declaredOf } from '../../rollout/two-runs.ts';
import { isAlive } from '../../graph/dependency-state.ts';
import { find, put, type Draft, type Visit } from '../draft.ts';
import { servicesOf } from '../service-table.ts';

/**
 * True if the service must use the slot that the file names. The supervisor did not write this slot, and
 * either the service has it already or no run is alive.
 */
const isTaken = (service: Service, slot: string): boolean =>
  slot !== service.slotKept &&
  (slot === service.slot || (!isAlive(service) && service.rollout === undefined));

/** The maximum number of characters of the file that a warning shows. */
const SHOWN = 40;

/**
 * Logs a warning about a `state_path` that names an unknown slot. No warning is logged if the service has
 * this slot.
 */
const refuse = (draft: Draft, { spec, slot: known }: Service, slot: string): void => {
  if (slot === known) return;
  const said = JSON.stringify(slot.slice(0, SHOWN));
  const text = `state_path says ${said}, which is no slot of it: ${known ?? 'the first'} is used`;
  draft.effects.push({ type: 'note', level: 'warn', service: spec.id, text });
};

const takeSlot = (draft: Draft, service: Service, slot: string): void => {
  if (!isTaken(service, slot)) return;
  const { blueGreen } = declaredOf(service).deployment;
  if (blueGreen?.slots.includes(slot)) put(draft, { ...service, slot, slotKept: slot });
  else refuse(draft, service, slot);
};

/** Stores the slots that other programs wrote to `state_path`. */
export const takeSlots = (draft: Draft, loads: readonly LoadResult[]): void => {
  const slots = new Map(loads.flatMap((load) => Object.entries(load.slots ?? {})));
  if (slots.size === 0) return;
  for (const service of servicesOf(draft.state.serviceTable)) {
    const slot = slots.get(service.spec.id);
    if (slot !== undefined) takeSlot(draft, service, slot);
  }
};

/** Records that this slot was written to `state_path`. */
export const slotKept = (
  draft: Draft,
  { service: id, slot }: Extract<Event, { type: 'slot-kept' }>,
): void => {
  const service = find(draft, id);
  if (service !== undefined && service.slotKept !== slot) put(draft, { ...service, slotKept: slot });
};

/**
 * Writes the slots of live runs again if the files name other slots. The previous supervisor may have died
 * before it wrote the files.
 */
export const tellSlots = (draft: Draft, loads: readonly LoadResult[]): void => {
  const told = new Map(loads.flatMap((load) => Object.entries(load.slots ?? {})));
  for (const service of servicesOf(draft.state.serviceTable)) {
    const { spec, slot, rollout } = service;
    const path = spec.deployment.blueGreen?.statePath;
    if (path === undefined || slot === undefined || rollout !== undefined || !isAlive(service)) continue;
    if (told.get(spec.id) !== slot) draft.effects.push({ type: 'keep-slot', service: spec.id, path, slot });
  }
};

/** Writes the slot of a run that begins without a rollout, before its dependents start. */
export const keepSlot = (draft: Draft, { before, after }: Visit): void => {
  const { spec, slot, rollout, runs } = after;
  const path = spec.deployment.blueGreen?.statePath;
  if (path === undefined || slot === undefined || rollout !== undefined) return;
  if (runs === before.runs) return;
  draft.effects.push({ type: 'keep-slot', service: spec.id, path, slot });
};
