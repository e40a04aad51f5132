// The alerts of a story, with a receiver that takes every message at once.
import { of, type Observable, type SchedulerLike } from 'rxjs';
import { alertTurns } from '../../../src/streams/alerts/incidents-after-step.ts';
import { NO_ALERTS } from '../../../src/streams/alerts/deliveries.ts';
import type { AlertCause } from '../../../src/streams/domain/declared/spec.ts';
import { nameOf, projectOf, type ServiceId } from '../../../src/streams/domain/ids.ts';
import type { Clock } from '../../../src/streams/domain/ports.ts';
import type { Step } from '../../../src/streams/kernel/step.ts';
import { listen } from '../listen.ts';

/** Tells each message that becomes due, until the returned subscription ends. */
export const followIncidents = (
  step$: Observable<Step>,
  time: { readonly clock: Clock; readonly scheduler: SchedulerLike },
  told: (service: ServiceId, cause: AlertCause) => void,
): ReturnType<typeof listen> => {
  const turn$ = alertTurns(step$, NO_ALERTS, {
    ...time,
    messageOf: ({ incident, end }) => {
      const cause = end === undefined ? incident.cause : 'recovered';
      told(incident.service, cause);
      const names = { project: projectOf(incident.service), service: nameOf(incident.service) };
      return { alert: incident.alert, about: { cause, ...names, run: null, code: null }, body: '' };
    },
    send: () => of(undefined),
  });
  return listen(turn$, () => undefined);
};
