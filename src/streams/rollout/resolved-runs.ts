// Resolves the placeholders in the declarations of a service's runs. Each run gets the values of its own
// slot.
import type { Effect } from '../domain/effect.ts';
import type { Run, WhichRun } from '../domain/service/service-run.ts';
import type { Service } from '../domain/service/service.ts';
import { placed } from './placeholders.ts';
import { candidateSlots, exchanged, slotsOf, type Slots } from './slot-pair.ts';

const filled = <R extends Run>(run: R, slots: Slots | undefined): R => {
  const spec = placed(run.spec, slots);
  return spec === run.spec ? run : { ...run, spec };
};

/**
 * Returns the service with the placeholders (such as `{slot}`) of its current run resolved; the same object
 * if there are none.
 */
export const inPlace = (service: Service): Service => filled(service, slotsOf(service));

const otherSlots = (service: Service, other: Run): Slots | undefined => candidateSlots(other, service.slot);

/**
 * Returns the current or the other run of a service with its placeholders (such as `{slot}`) resolved;
 * `undefined` for the other run if there is no rollout.
 */
export const runInPlace = (service: Service, which: WhichRun): Run | undefined => {
  if (which === 'current') return inPlace(service);
  const other = service.rollout?.other;
  return other && filled(other, otherSlots(service, other));
};

/**
 * Returns the candidate with its placeholders resolved so that its `switch_command` switches the traffic
 * back: active and candidate slot are exchanged. If the old declaration is blue/green, its own
 * `switch_command` is used: it has worked before, and the new one may be broken.
 */
export const revertingInPlace = (service: Service, candidate: Run): Run => {
  const slots = otherSlots(service, candidate);
  const { spec } = service.spec.deployment.blueGreen === undefined ? candidate : service;
  return filled({ ...candidate, spec }, slots && exchanged(slots));
};

/**
 * Returns a function that puts the declaration and FIFO pair (`lane`) of this run into a spawn effect. Other
 * effects are unchanged.
 */
export const spawnedInPlace =
  ({ spec, lane = 0 }: Run) =>
  (effect: Effect): Effect =>
    effect.type === 'spawn' ? { ...effect, spec, lane } : effect;
