// Resolves placeholders such as `{slot}` in the declarations of runs, each by its own slot.
import type { Effect } from '../domain/effect.ts';
import type { Run, WhichRun } from '../domain/service/service-run.ts';
import type { Service } from '../domain/service/service.ts';
import { placed } from './placeholders.ts';
import { candidateSlots, exchanged, slotsOf, type Slots } from './slot-pair.ts';

const filled = <R extends Run>(run: R, slots: Slots | undefined): R => {
  const spec = placed(run.spec, slots);
  return spec === run.spec ? run : { ...run, spec };
};

/** Returns the service with the placeholders of its current run resolved. */
export const inPlace = (service: Service): Service => filled(service, slotsOf(service));

const otherSlots = (service: Service, other: Run): Slots | undefined => candidateSlots(other, service.slot);

/** Returns a run of the service with its placeholders resolved. */
export const runInPlace = (service: Service, which: WhichRun): Run | undefined => {
  if (which === 'current') return inPlace(service);
  const other = service.rollout?.other;
  return other && filled(other, otherSlots(service, other));
};

/**
 * Returns the new run with a `switch_command` that switches back, because its slots are exchanged. If the old
 * declaration is blue/green, its command is used, because it has worked before.
 */
export const revertingInPlace = (service: Service, candidate: Run): Run => {
  const slots = otherSlots(service, candidate);
  const { spec } = service.spec.deployment.blueGreen === undefined ? candidate : service;
  return filled({ ...candidate, spec }, slots && exchanged(slots));
};

/** Returns a function that puts this run's declaration and FIFO pair (`lane`) into a spawn effect. */
export const spawnedInPlace =
  ({ spec, lane = 0 }: Run) =>
  (effect: Effect): Effect =>
    effect.type === 'spawn' ? { ...effect, spec, lane } : effect;
