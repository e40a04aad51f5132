// The runs of a service as the world is to see them: with the placeholders of their declarations filled in for the slot that
// each of them has.
import type { Effect } from '../domain/effect.ts';
import type { Service } from '../domain/service/service.ts';
import { placed } from './placeholders.ts';
import { candidateSlots, exchanged, slotsOf, type Slots } from './slots.ts';

/** The service with its declaration filled in; the same object where there is nothing to fill in. */
export const inPlace = (service: Service): Service => filled(service, slotsOf(service));

/** The second run of a rollout with its declaration filled in. */
export const secondInPlace = (service: Service, other: Service): Service =>
  filled(other, secondSlots(service, other));

/**
 * The second run while the switch is taken back: the other slot is the candidate. The command is that of the declaration
 * that goes on, if it has one: it has served, and the new one may be what is broken.
 */
export const revertingInPlace = (service: Service, other: Service): Service => {
  const slots = secondSlots(service, other);
  const { spec } = service.spec.deployment.blueGreen === undefined ? other : service;
  return filled({ ...other, spec }, slots && exchanged(slots));
};

const secondSlots = (service: Service, other: Service): Slots | undefined =>
  candidateSlots(other, service.slot);

const filled = (service: Service, slots: Slots | undefined): Service => {
  const spec = placed(service.spec, slots);
  return spec === service.spec ? service : { ...service, spec };
};

/** A spawn of this run, which is in place already. */
export const spawnedInPlace =
  ({ spec, lane = 0 }: Service) =>
  (effect: Effect): Effect =>
    effect.type === 'spawn' ? { ...effect, spec, lane } : effect;
