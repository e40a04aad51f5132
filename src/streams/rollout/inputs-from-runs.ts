// Derives the inputs of a rollout from the states of its two runs. Because events are not used, a new
// supervisor can derive the same inputs from the saved states.
import type { ServiceError } from '../domain/errors/error.ts';
import type { RolloutStep } from '../domain/service/rollout.ts';
import type { Run } from '../domain/service/service-run.ts';
import type { In, Rollout, Service } from '../domain/service/service.ts';
import { isReverting, stepOf, type RolloutInput } from './rollout-input.ts';

const FORWARDS: ReadonlySet<RolloutStep> = new Set([
  'starting',
  'verifying',
  'switching',
  'confirming',
  'watching',
]);

/** True while the rollout moves towards success and can be cancelled. */
export const isForwards = (rollout: Pick<Rollout, 'stages'>): boolean => FORWARDS.has(stepOf(rollout));

const WELL = { tag: 'code', code: 0 } as const;

/** Returns the error of a new run that exited with 0 although it had to keep running. */
const endedWell = ({ spec, actual }: Run): ServiceError =>
  actual.tag === 'down' && actual.why.tag === 'completed'
    ? { code: 'ERR0102', service: spec.id, status: WELL, evidence: [] }
    : { code: 'ERR0101', service: spec.id, status: WELL };

type Over = Extract<RolloutInput, { type: 'over' }>;

const because = (error: ServiceError): Over => ({ type: 'over', error });

const ofDown = (other: Run, { why }: In<'down'>): Over => {
  if (why.tag === 'skipped') return { type: 'over', skipped: why.by };
  return because(why.tag === 'failed' ? why.error : endedWell(other));
};

/** Returns the input that reports how the second run ended; `undefined` if it has not ended. */
export const endOf = (other: Run): Over | undefined => {
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

/** True if the run is ending although it should keep running. */
export const isLost = ({ actual, wanted }: Run): boolean => actual.tag === 'stopping' && wanted === 'up';

/** True while traffic is switched back to the current run, and this run is alive. */
export const awaitsTraffic = ({ actual, rollout }: Service): boolean =>
  (actual.tag === 'starting' || actual.tag === 'up') && rollout !== undefined && isReverting(rollout);

/** True if the service must be down, is a casualty, or is being stopped because a dependency failed. */
const isUnwanted = ({ wanted, actual }: Service): boolean =>
  wanted === 'down' ||
  actual.tag === 'casualty' ||
  (actual.tag === 'stopping' && actual.cause.tag === 'felled');

/** True if the rollout reverts the switch, and was already informed that the new run has ended. */
const isTold = (rollout: Rollout): boolean =>
  isReverting(rollout) && rollout.undoing !== undefined && rollout.other.wanted === 'down';

const ofOther = (rollout: Rollout): RolloutInput | undefined => {
  const { other } = rollout;
  const step = stepOf(rollout);
  const over = endOf(other);
  if (over !== undefined) return isTold(rollout) ? undefined : over;
  if (FORWARDS.has(step) && isLost(other)) return { type: 'lost' };
  return step === 'starting' && other.actual.tag === 'up' ? { type: 'ready' } : undefined;
};

/** Returns the next input of the rollout; `undefined` while the rollout waits for an event. */
export const impulseOf = (service: Service): RolloutInput | undefined => {
  const { rollout } = service;
  if (rollout === undefined) return undefined;
  return isForwards(rollout) && isUnwanted(service) ? { type: 'abort' } : ofOther(rollout);
};
