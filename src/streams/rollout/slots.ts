// The two slots of a blue/green service: which one it has, which one is idle (`docs/deployments.md`, "Blue/green").
import type { Service } from '../domain/service/service.ts';
import type { BlueGreen } from '../domain/declared/spec.ts';

/** What the placeholders stand for. */
export interface Slots {
  /** The slot of the run that is spoken of. */
  readonly slot: string;
  /** Where the traffic goes. */
  readonly active: string;
  /** Where it does not. */
  readonly candidate: string;
}

/** The slot that a candidate gets beside a run in `active`; the first, when that is none of the two. */
export const idleSlot = ({ slots: [first, second] }: BlueGreen, active: string | undefined): string =>
  active === first ? second : first;

/** The slot for a run that has nobody beside it: the kept one, if it is one of the two. */
const ownSlot = ({ slots }: BlueGreen, kept: string | undefined): string =>
  slots.find((slot) => slot === kept) ?? slots[0];

/** The service with the slot that its next run gets; as it is where slots mean nothing. */
export const slotted = (service: Service): Service => {
  const { blueGreen } = (service.revised ?? service.spec).deployment;
  if (blueGreen === undefined) return service;
  const slot = ownSlot(blueGreen, service.slot);
  return slot === service.slot ? service : { ...service, slot };
};

/** A service without a rollout: its slot is the active one. `undefined` where slots mean nothing. */
export const slotsOf = ({ spec, slot: kept }: Pick<Service, 'spec' | 'slot'>): Slots | undefined => {
  const { blueGreen } = spec.deployment;
  if (blueGreen === undefined) return undefined;
  const slot = ownSlot(blueGreen, kept);
  return { slot, active: slot, candidate: idleSlot(blueGreen, slot) };
};

/** A candidate beside a run that has the traffic. */
export const candidateSlots = (
  { spec, slot: kept }: Pick<Service, 'spec' | 'slot'>,
  active: string | undefined,
): Slots | undefined => {
  const { blueGreen } = spec.deployment;
  if (blueGreen === undefined) return undefined;
  const slot = kept ?? idleSlot(blueGreen, active);
  return { slot, candidate: slot, active: active ?? idleSlot(blueGreen, slot) };
};

/** The switch taken back: what was active is the candidate again. */
export const exchanged = ({ active, candidate }: Slots): Slots => ({
  slot: active,
  active: candidate,
  candidate: active,
});
