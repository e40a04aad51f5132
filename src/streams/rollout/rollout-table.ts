// What happens in each step of a rollout on each input (used by `rollout-machine.ts`).
import type { ServiceError } from '../domain/errors/error.ts';
import type { RolloutStep, Undoing } from '../domain/service/rollout.ts';
import { isSuccess } from '../domain/service/exit-status.ts';
import { isExhausted, probedOnce } from '../service/checks/health.ts';
import { confirmationOf } from './choose-health-check.ts';
import {
  candidateFailed,
  candidateSkipped,
  revertFailed,
  switchFailed,
  verifyFailed,
} from './rollout-failure.ts';
import {
  reachedStep,
  STAY,
  stepOf,
  stepSince,
  type RolloutInputType,
  type RolloutMove,
  type RolloutSituation,
} from './rollout-input.ts';

export type RolloutCell<I extends RolloutInputType> = (situation: RolloutSituation<I>) => RolloutMove;

type Table = { readonly [S in RolloutStep]: { readonly [I in RolloutInputType]: RolloutCell<I> } };

/** A cell for an input that can arrive in this step and changes nothing. */
const ignored = (): RolloutMove => STAY;

/** A cell for an input that cannot arrive in this step. */
const impossible = (): RolloutMove => STAY;

/** The facts that a cell of the rollout table may read in addition to the input. */
export type Circumstances = Omit<RolloutSituation<RolloutInputType>, 'input'>;

const CALLED_OFF: Undoing = { tag: 'called-off' };

/** Continues when all checks have passed: the grace period begins, or, without one, the old run stops. */
const proven = ({ deployment }: Circumstances): RolloutMove => ({
  to: deployment.gracePeriod > 0 ? 'watching' : 'retiring',
});

const started = (cell: Circumstances): RolloutMove => {
  const { blueGreen } = cell.deployment;
  if (blueGreen === undefined) return proven(cell);
  return { to: blueGreen.candidateHealthCheck === undefined ? 'switching' : 'verifying' };
};

const afterSwitch = (cell: Circumstances): RolloutMove =>
  confirmationOf(cell.deployment) === undefined ? proven(cell) : { to: 'confirming' };

const withdraw = (): RolloutMove => ({ to: 'withdrawing' });

const callOff = (): RolloutMove => ({ to: 'withdrawing', undoing: CALLED_OFF });

/**
 * Undoes a rollout after the switch: the traffic is switched back first, because the candidate may have it.
 */
const revert = (): RolloutMove => ({ to: 'reverting' });

const callOffSwitched = (): RolloutMove => ({ to: 'reverting', undoing: CALLED_OFF });

/** Undoes a rollout in its grace period. The traffic is switched back only for a blue/green service. */
const backwards = ({ deployment }: Circumstances): RolloutMove =>
  deployment.blueGreen === undefined ? withdraw() : revert();

const callOffWatched = (cell: Circumstances): RolloutMove => ({ ...backwards(cell), undoing: CALLED_OFF });

/** Returns why the rollout fails: the cause that is already recorded, or else the end of the candidate. */
const blamed = ({ service, rollout, input }: RolloutSituation<'over'>): Undoing => {
  if (rollout.undoing !== undefined) return rollout.undoing;
  if ('skipped' in input) return candidateSkipped(input.skipped, service);
  return candidateFailed(input.error, { service, step: reachedStep(rollout), evidence: rollout.evidence });
};

const undone = (cell: RolloutSituation<'over'>): RolloutMove => ({ to: 'undone', undoing: blamed(cell) });

const goneBeforeReverting = (cell: RolloutSituation<'over'>): RolloutMove => ({
  to: 'reverting',
  undoing: blamed(cell),
});

const goneWatched = (cell: RolloutSituation<'over'>): RolloutMove => ({
  to: cell.deployment.blueGreen === undefined ? 'undone' : 'reverting',
  undoing: blamed(cell),
});

const blame = (cell: RolloutSituation<'over'>): RolloutMove => ({ undoing: blamed(cell) });

const confirmedBy = ({ blueGreen }: Circumstances['deployment']): 'switch_verify' | 'health_check' =>
  blueGreen?.switchVerify === undefined ? 'health_check' : 'switch_verify';

/** Undoes the rollout: the last permitted attempt of this step's check failed. */
const checkFailed = (
  { service, rollout, deployment }: RolloutSituation<'verified'>,
  error: ServiceError,
): RolloutMove =>
  stepOf(rollout) === 'verifying'
    ? {
        to: 'withdrawing',
        undoing: candidateFailed(error, { service, step: 'verifying', evidence: rollout.evidence }),
      }
    : { to: 'reverting', undoing: verifyFailed(service, confirmedBy(deployment), error) };

const checkPassed = (cell: RolloutSituation<'verified'>): RolloutMove =>
  stepOf(cell.rollout) === 'verifying' ? { to: 'switching' } : proven(cell);

/**
 * Continues after a result of this step's check, with the next step, the failure of the rollout, or one more
 * attempt.
 */
const probed = (cell: RolloutSituation<'verified'>): RolloutMove => {
  const { service, rollout, deployment, input, at } = cell;
  const { candidateHealthCheck } = deployment.blueGreen ?? {};
  const check = stepOf(rollout) === 'verifying' ? candidateHealthCheck : confirmationOf(deployment);
  if (check === undefined || input.result.tag === 'passed') return checkPassed(cell);
  const startedAt = stepSince(rollout);
  const progress = probedOnce(rollout.check, { service, check, result: input.result, startedAt, at });
  const spent = progress.error !== undefined && isExhausted(progress, check, at);
  return spent ? checkFailed(cell, progress.error) : { check: progress };
};

const switched = (cell: RolloutSituation<'switched'>): RolloutMove => {
  const { service, input } = cell;
  const done = input.outcome.tag === 'ended' && isSuccess(input.outcome.status);
  return done ? afterSwitch(cell) : { to: 'reverting', undoing: switchFailed(service, input.outcome) };
};

const reverted = ({ service, rollout, input }: RolloutSituation<'switched'>): RolloutMove => {
  const done = input.outcome.tag === 'ended' && isSuccess(input.outcome.status);
  if (done) return withdraw();
  return { to: 'withdrawing', undoing: revertFailed(rollout.undoing ?? CALLED_OFF, service, input.outcome) };
};

export const TABLE: Table = {
  starting: {
    ready: started,
    lost: withdraw,
    over: undone,
    verified: ignored,
    switched: ignored,
    elapsed: ignored,
    abort: callOff,
  },
  verifying: {
    ready: ignored,
    lost: withdraw,
    over: undone,
    verified: probed,
    switched: ignored,
    elapsed: ignored,
    abort: callOff,
  },
  switching: {
    ready: ignored,
    lost: revert,
    over: goneBeforeReverting,
    verified: ignored,
    switched,
    elapsed: ignored,
    abort: callOffSwitched,
  },
  confirming: {
    ready: ignored,
    lost: revert,
    over: goneBeforeReverting,
    verified: probed,
    switched: ignored,
    elapsed: ignored,
    abort: callOffSwitched,
  },
  watching: {
    ready: ignored,
    lost: backwards,
    over: goneWatched,
    verified: ignored,
    switched: ignored,
    elapsed: () => ({ to: 'retiring' }),
    abort: callOffWatched,
  },
  retiring: {
    ready: impossible,
    lost: ignored,
    over: () => ({ to: 'done' }),
    verified: ignored,
    switched: ignored,
    elapsed: ignored,
    abort: ignored,
  },
  reverting: {
    ready: ignored,
    lost: ignored,
    over: blame,
    verified: ignored,
    switched: reverted,
    elapsed: ignored,
    abort: ignored,
  },
  withdrawing: {
    ready: ignored,
    lost: ignored,
    over: undone,
    verified: ignored,
    switched: ignored,
    elapsed: ignored,
    abort: ignored,
  },
};
