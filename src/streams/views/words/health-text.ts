// Probe results of a running service, in words.
import type { HealthProgress } from '../../domain/service/health.ts';
import type { Service } from '../../domain/service/service.ts';
import { between, lengthText, type Instant } from '../../domain/time.ts';
import { errorSentence } from '../../domain/errors/error-sentence.ts';

/** `its health check reported unhealthy: HTTP 500; failure 2 of 3`; `undefined`: no probe has failed. */
export const failingText = (
  { failures, error }: HealthProgress,
  { spec }: Pick<Service, 'spec'>,
): string | undefined => {
  if (failures === 0 || error === undefined) return undefined;
  const most = spec.deployment.healthCheck?.retries ?? failures;
  return `${errorSentence(error)}; failure ${failures} of ${most}`;
};

/** `its health check passes again, after 2 failures in 1.5 s`: about the failures before. */
export const recoveredText = ({ failures, failingSince }: HealthProgress, at: Instant): string => {
  const length = failingSince === undefined ? '' : ` in ${lengthText(between(failingSince, at))}`;
  return `its health check passes again, after ${failures} ${failures === 1 ? 'failure' : 'failures'}${length}`;
};
