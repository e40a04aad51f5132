// The alerts of a story, with no receiver: only which messages become due, and when.
import type { Observable, SchedulerLike } from 'rxjs';
import {
  judge,
  overAt,
  settle,
  type Judged,
  type OpenIncident,
} from '../../../src/streams/alerts/incidents.ts';
import type { AlertCause } from '../../../src/streams/domain/declared/spec.ts';
import type { ServiceId } from '../../../src/streams/domain/ids.ts';
import type { Clock } from '../../../src/streams/domain/ports.ts';
import { serviceAt } from '../../../src/streams/kernel/service-table.ts';
import type { Step } from '../../../src/streams/kernel/step.ts';
import { listen } from '../listen.ts';

/** Tells each message that becomes due, until the returned subscription ends. */
export const followIncidents = (
  step$: Observable<Step>,
  time: { readonly clock: Clock; readonly scheduler: SchedulerLike },
  told: (service: ServiceId, cause: AlertCause) => void,
): ReturnType<typeof listen> => {
  let open: readonly OpenIncident[] = [];
  const take = (judged: Judged): void => {
    open = judged.open;
    for (const { incident, end } of judged.notices)
      told(incident.service, end === undefined ? incident.cause : 'recovered');
  };
  const wait = (): void => {
    const now = time.clock.now();
    for (const due of open.flatMap((incident) => overAt(incident) ?? []))
      time.scheduler.schedule(() => take(settle(open, time.clock.now())), due - now);
  };
  return listen(step$, ({ at, services, state }) => {
    for (const id of services) take(judge(open, { id, service: serviceAt(state.roster, id), at }));
    wait();
  });
};
