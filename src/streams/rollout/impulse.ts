// What the two runs of a rollout say by being what they are: the candidate is ready, it is lost, it is over; the service is
// not to run any more. Read off their states and not off the events that made them, so that it is found again after the
// death of a supervisor.
import type { ServiceError } from '../domain/errors/error.ts';
import type { RolloutStep } from '../domain/service/rollout.ts';
import type { In, Rollout, Service } from '../domain/service/service.ts';
import { isReverting, stepOf, type RolloutInput } from './input.ts';

const FORWARDS: ReadonlySet<RolloutStep> = new Set([
  'starting',
  'verifying',
  'switching',
  'confirming',
  'watching',
]);

/** The candidate is on its way and may yet be taken back. */
export const isForwards = (rollout: Pick<Rollout, 'stages'>): boolean => FORWARDS.has(stepOf(rollout));

const WELL = { tag: 'code', code: 0 } as const;

/** It ended well although it was to stay. */
const endedWell = ({ spec, actual }: Service): ServiceError =>
  actual.tag === 'down' && actual.why.tag === 'completed'
    ? { code: 'ERR0102', service: spec.id, status: WELL, evidence: [] }
    : { code: 'ERR0101', service: spec.id, status: WELL };

type Over = Extract<RolloutInput, { type: 'over' }>;

const because = (error: ServiceError): Over => ({ type: 'over', error });

const ofDown = (other: Service, { why }: In<'down'>): Over => {
  if (why.tag === 'skipped') return { type: 'over', skipped: why.by };
  return because(why.tag === 'failed' ? why.error : endedWell(other));
};

/** How a run that is over came to that; `undefined`: it is not over. */
export const endOf = (other: Service): Over | undefined => {
  const { actual } = other;
  switch (actual.tag) {
    case 'backing-off':
      return because(actual.error);
    case 'broken':
      return because(actual.error.code === 'ERR0110' ? (actual.error.last ?? actual.error) : actual.error);
    case 'down':
      return ofDown(other, actual);
    case 'scheduled':
    case 'casualty':
      return because(endedWell(other));
    default:
      return undefined;
  }
};

/** It ends by itself: nobody asked it to. */
export const isLost = ({ actual, wanted }: Service): boolean => actual.tag === 'stopping' && wanted === 'up';

/** Its traffic is on the way back to it: it goes on until that is done, also where it is to stop then. */
export const awaitsTraffic = ({ actual, rollout }: Service): boolean =>
  (actual.tag === 'starting' || actual.tag === 'up') && rollout !== undefined && isReverting(rollout);

/** The service stops, is to stop, or lies down because of another. */
const isUnwanted = ({ wanted, actual }: Service): boolean =>
  wanted === 'down' ||
  actual.tag === 'casualty' ||
  (actual.tag === 'stopping' && actual.cause.tag === 'felled');

/** While the switch is taken back its end is told once: from then on it is not to come back, and why is known. */
const isTold = (rollout: Rollout): boolean =>
  isReverting(rollout) && rollout.undoing !== undefined && rollout.other.wanted === 'down';

const ofSecond = (rollout: Rollout): RolloutInput | undefined => {
  const { other } = rollout;
  const step = stepOf(rollout);
  const over = endOf(other);
  if (over !== undefined) return isTold(rollout) ? undefined : over;
  if (FORWARDS.has(step) && isLost(other)) return { type: 'lost' };
  return step === 'starting' && other.actual.tag === 'up' ? { type: 'ready' } : undefined;
};

/** What the rollout of a service has to hear now; `undefined`: it waits for something to happen. */
export const impulseOf = (service: Service): RolloutInput | undefined => {
  const { rollout } = service;
  if (rollout === undefined) return undefined;
  return isForwards(rollout) && isUnwanted(service) ? { type: 'abort' } : ofSecond(rollout);
};
