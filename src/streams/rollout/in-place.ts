// The runs of a service with the placeholders of their declarations resolved, each for its own slot.
import type { Effect } from '../domain/effect.ts';
import type { Service } from '../domain/service/service.ts';
import { placed } from './placeholders.ts';
import { candidateSlots, exchanged, slotsOf, type Slots } from './slots.ts';

/** The service with its placeholders resolved; the same object if there are none. */
export const inPlace = (service: Service): Service => filled(service, slotsOf(service));

/** The second run of a rollout with its placeholders resolved. */
export const secondInPlace = (service: Service, other: Service): Service =>
  filled(other, secondSlots(service, other));

/**
 * The second run while the switch is reverted: the other slot is the candidate. Uses the old declaration's
 * command if there is one: it has worked before, and the new one may be broken.
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

/** A spawn effect with the resolved declaration of this run. */
export const spawnedInPlace =
  ({ spec, lane = 0 }: Service) =>
  (effect: Effect): Effect =>
    effect.type === 'spawn' ? { ...effect, spec, lane } : effect;
