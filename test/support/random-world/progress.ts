// Whether an event leads anywhere, so that a world comes to rest.
import type { Event } from '../../../src/streams/domain/event.ts';
import type { Run } from '../../../src/streams/domain/service/service-run.ts';
import type { Service, Tag } from '../../../src/streams/domain/service/service.ts';
import { servicesOf } from '../../../src/streams/kernel/service-table.ts';
import type { SupervisorState } from '../../../src/streams/kernel/state.ts';

/** The run that the event is about: the current one, or the other one of its rollout. */
const actorOf = (service: Service, event: Event): Run => {
  const other = service.rollout?.other;
  return other !== undefined && 'run' in event && event.run === other.runs && event.run !== service.runs
    ? other
    : service;
};

/** What a rollout waits for in its own name. */
const movesRollout = (event: Event): boolean =>
  event.type === 'verified' ||
  (event.type === 'elapsed' && event.timer === 'grace') ||
  (event.type === 'command-ended' && event.purpose === 'switch');

/** A passing probe of what is up, and a timer that only looks back, lead nowhere; neither does the end of what runs well. */
export const isProgress = (event: Event, { serviceTable }: SupervisorState): boolean => {
  if (event.type === 'manifests-loaded' || movesRollout(event)) return true;
  if (!('service' in event)) return false;
  const service = servicesOf(serviceTable).find(({ spec }) => spec.id === event.service);
  return service !== undefined && leadsOn(event, actorOf(service, event).actual.tag);
};

const leadsOn = (event: Event, tag: Tag): boolean => {
  if (event.type === 'exited' || event.type === 'surveyed') return tag === 'stopping';
  return tag !== 'up' && tag !== 'scheduled' && tag !== 'stopping';
};
