// Builds the error of a failed rollout (ERR0115, ERR0116): step, cause and last output.
import type { Evidence, ServiceError } from '../domain/errors/error.ts';
import type { CommandOutcome } from '../domain/event.ts';
import { exitText } from '../domain/service/exit-status.ts';
import type { ServiceId } from '../domain/ids.ts';
import type { RolloutStep, Undoing } from '../domain/service/rollout.ts';
import { errorSentence } from '../domain/errors/error-sentence.ts';
import { skippedText } from '../domain/service/service-state.ts';
import { isCalledOff, type SkippedBy } from './rollout-input.ts';

const DURING: Readonly<Record<RolloutStep, string>> = {
  starting: 'the candidate',
  verifying: 'the candidate, while it was being verified',
  switching: 'the candidate, during the switch',
  confirming: 'the candidate, after the switch',
  watching: 'the candidate, in its grace period',
  retiring: 'the candidate',
  reverting: 'the candidate',
  withdrawing: 'the candidate',
};

interface Failed {
  readonly service: ServiceId;
  readonly step: RolloutStep;
  readonly evidence: Evidence;
}

/** Returns the failure of a rollout if its new run failed in this step. */
export const candidateFailed = (cause: ServiceError, { service, step, evidence }: Failed): Undoing => ({
  tag: 'failed',
  error: { code: 'ERR0115', service, detail: `${DURING[step]}: ${errorSentence(cause)}`, evidence },
});

/** Returns the failure of a rollout if its new run was skipped. */
export const candidateSkipped = (by: SkippedBy, service: ServiceId): Undoing => ({
  tag: 'failed',
  error: { code: 'ERR0115', service, detail: `the candidate was skipped: ${skippedText(by)}`, evidence: [] },
});

const outcomeText = (outcome: CommandOutcome): string =>
  outcome.tag === 'over-budget' ? 'was killed: it took too long' : exitText(outcome.status);

/** Returns the failure of a rollout if its `switch_command` did not exit with 0. */
export const switchFailed = (service: ServiceId, outcome: CommandOutcome): Undoing => ({
  tag: 'failed',
  error: {
    code: 'ERR0116',
    service,
    detail: `switch_command ${outcomeText(outcome)}`,
    evidence: outcome.tag === 'ended' ? outcome.evidence : [],
  },
});

/** Returns the failure of a rollout if its check after the switch failed. */
export const verifyFailed = (
  service: ServiceId,
  check: 'switch_verify' | 'health_check',
  cause: ServiceError,
): Undoing => ({
  tag: 'failed',
  error: {
    code: 'ERR0116',
    service,
    detail: `${check}${check === 'health_check' ? ' after the switch' : ''}: ${errorSentence(cause)}`,
    evidence: [],
  },
});

const NO_WAY_BACK = 'the old run has no slot to switch back to';

/**
 * Returns the failure of a rollout if its switch cannot be reverted, because the old run has no slot. In this
 * case a cancelled rollout counts as failed too, because the traffic goes to a slot without a run.
 */
export const withoutWayBack = (undoing: Undoing, service: ServiceId): Undoing => {
  if (undoing.tag === 'called-off') {
    const detail = `the rollout was called off after the switch; ${NO_WAY_BACK}`;
    const error = { code: 'ERR0116', service, detail, evidence: [], old: 'unknown' } as const;
    return { tag: 'failed', error, calledOff: true };
  }
  const { error } = undoing;
  if ((error.code !== 'ERR0115' && error.code !== 'ERR0116') || error.old === 'unknown') return undoing;
  return { ...undoing, error: { ...error, detail: `${error.detail}; ${NO_WAY_BACK}`, old: 'unknown' } };
};

/**
 * Returns the failure of a rollout if its switch could not be reverted. It is then unknown which run has the
 * traffic.
 */
export const revertFailed = (undoing: Undoing, service: ServiceId, outcome: CommandOutcome): Undoing => {
  const before = undoing.tag === 'failed' && 'detail' in undoing.error ? `${undoing.error.detail}; ` : '';
  const evidence = outcome.tag === 'ended' ? outcome.evidence : [];
  const detail = `${before}switching back failed too (switch_command ${outcomeText(outcome)})`;
  const error = { code: 'ERR0116', service, detail, evidence, old: 'unknown' } as const;
  return { tag: 'failed', error, ...(isCalledOff(undoing) && { calledOff: true }) };
};
