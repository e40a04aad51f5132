// Chooses the strategy that replaces a run (`docs/deployments.md`, "Which strategy").
import type { Strategy } from '../domain/service/rollout.ts';
import type { ServiceSpec } from '../domain/declared/spec.ts';
import { confirmationOf } from './choose-health-check.ts';
import { ms, type Ms } from '../domain/time.ts';
import type { Settings } from '../domain/declared/settings.ts';

/**
 * Returns the strategy that replaces a run. It is `immediate` for a cron service, which cannot be rolled out.
 */
export const strategyOf = ({ kind, deployment }: Pick<ServiceSpec, 'kind' | 'deployment'>): Strategy => {
  if (kind === 'cron') return 'immediate';
  return deployment.blueGreen === undefined ? deployment.strategy : 'blue-green';
};

/**
 * Returns how long a rollout can take after its new run has started, in ms: checks, switch, switch back,
 * grace period and stop.
 */
export const longestRollout = ({ deployment }: ServiceSpec, { preStart, stopVerify }: Settings): Ms => {
  const { blueGreen, gracePeriod } = deployment;
  if (blueGreen === undefined) return ms(gracePeriod + stopVerify);
  const checks = [blueGreen.candidateHealthCheck, confirmationOf(deployment)].map((check) =>
    check === undefined
      ? 0
      : Math.max(check.totalTimeout, check.retries * (check.interval + check.attemptTimeout)),
  );
  return ms(checks.reduce((sum, length) => sum + length, gracePeriod + stopVerify + 2 * preStart));
};
