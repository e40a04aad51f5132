// Makes texts for incidents: direct acts of a user on a process, and probes that begin to fail or pass again.
import { checkText, errorSentence } from '../../domain/errors/error-sentence.ts';
import { exitText, isSuccess } from '../../domain/service/exit-status.ts';
import type { HealthProgress } from '../../domain/service/service-state.ts';
import type { Act, Incident } from '../../domain/service/history-facts.ts';
import type { Service } from '../../domain/service/service.ts';
import { between, type Instant, lengthText } from '../../domain/time.ts';

/**
 * Returns a text about failed probes, such as `its health check reported unhealthy: HTTP 500; failure 2 of
 * 3`.
 */
export const failingText = (
  { failures, error, liveness }: HealthProgress,
  { spec }: Pick<Service, 'spec'>,
): string | undefined => {
  if (failures === 0 || error === undefined) return undefined;
  const { healthCheck } = spec.deployment;
  const most = (liveness ? healthCheck?.liveness : healthCheck)?.retries ?? failures;
  // More failures than `retries` are possible with `on_failure: ignore`, or before `total_timeout` has
  // passed.
  const count = failures > most ? `${failures} failures in a row` : `failure ${failures} of ${most}`;
  return `${errorSentence(error)}; ${count}`;
};

/** Returns a text about probes that pass again: `… passes again, after 2 failures in 1.5 s`. */
export const recoveredText = (streak: HealthProgress, at: Instant): string => {
  const { failures, failingSince } = streak;
  const length = failingSince === undefined ? '' : ` in ${lengthText(between(failingSince, at))}`;
  return `its ${checkText(streak)} passes again, after ${failures} ${failures === 1 ? 'failure' : 'failures'}${length}`;
};

/** Returns what a user did to the process: `SIGHUP, sent by sup kill`. */
export const actText = (act: Act): string => {
  if (act.tag === 'signal') return `${act.signal}, sent by sup ${act.by}`;
  return isSuccess(act.status)
    ? 'its reload command succeeded'
    : `its reload command ${exitText(act.status)}`;
};

/** Returns what the change of a watched file caused: `src/app.js changed: restart`. */
export const changedText = ({ changed, action }: Extract<Incident['facts'], { changed: string }>): string =>
  `${changed} changed: ${action === 'restart' ? action : `${action} sent`}`;

/** Returns the incident in words. */
export const incidentText = ({ at, facts }: Incident, service: Pick<Service, 'spec'>): string => {
  if ('act' in facts) return actText(facts.act);
  if ('changed' in facts) return changedText(facts);
  if ('error' in facts) return `${facts.error.code} ${errorSentence(facts.error)}`;
  const { health, streak } = facts;
  if (health === 'healthy') return recoveredText(streak, at);
  return failingText(streak, service) ?? `its ${checkText(streak)} fails`;
};
