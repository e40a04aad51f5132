// Resolves deployment and health checks: applies defaults and makes paths absolute.
import { resolve } from 'node:path';
import type { BlueGreen, Deployment, HealthCheck } from '../../streams/domain/declared/spec.ts';
import { ms } from '../../streams/domain/time.ts';
import type { blueGreen } from '../decode/deployment/blue-green.ts';
import type { deployment } from '../decode/deployment/deployment.ts';
import type { healthCheck } from '../decode/deployment/health-check.ts';
import type { ValueOf } from './declared.ts';
import { present } from './present.ts';

const resolveHealthCheck = (declared: ValueOf<typeof healthCheck>): HealthCheck => ({
  ...(declared.after_ready !== undefined && { afterReady: declared.after_ready }),
  probe:
    declared.url === undefined
      ? { tag: 'command', command: declared.command ?? '' }
      : { tag: 'http', url: declared.url },
  interval: declared.interval,
  startInterval: declared.start_interval,
  attemptTimeout: declared.attempt_timeout,
  totalTimeout: declared.total_timeout ?? declared.timeout ?? ms(0),
  retries: declared.retries,
});

const optionalCheck = (declared: ValueOf<typeof healthCheck> | undefined): HealthCheck | undefined =>
  declared === undefined ? undefined : resolveHealthCheck(declared);

const resolveBlueGreen = (declared: ValueOf<typeof blueGreen>, directory: string): BlueGreen => {
  const [first = '', second = ''] = declared.slots;
  const { state_path: statePath } = declared;
  return present({
    envVar: declared.env_var,
    slots: [first, second] as const,
    switchCommand: declared.switch_command,
    candidateHealthCheck: optionalCheck(declared.candidate_health_check),
    switchVerify: optionalCheck(declared.switch_verify),
    statePath: statePath === undefined ? undefined : resolve(directory, statePath.value),
  });
};

export const resolveDeployment = (declared: ValueOf<typeof deployment>, directory: string): Deployment => {
  const { blue_green: rollout } = declared;
  return present({
    strategy: declared.strategy,
    preStart: declared.pre_start,
    healthCheck: optionalCheck(declared.health_check),
    gracePeriod: declared.grace_period,
    blueGreen: rollout === undefined ? undefined : resolveBlueGreen(rollout, directory),
  });
};
