// An offline stop (`sup stop` while no supervisor runs) uses the loop of the supervisor, in the phase
// `stop-only`, in which no service starts. Services that it must not stop are treated as at rest. They stay
// in the dependency graph, because the graph determines the order of the stop.
import type { Selection } from '../../domain/command.ts';
import type { Event, Found } from '../../domain/event.ts';
import { grouped } from '../../domain/grouped.ts';
import type { ServiceId } from '../../domain/ids.ts';
import type { Service, ServiceState } from '../../domain/service/service.ts';
import type { Instant } from '../../domain/time.ts';
import type { Selected } from '../../selection/select.ts';
import { atRest, unwanted } from './left-stopped.ts';
import { isOnRecord } from './adopt-runs.ts';
import { select } from '../requests/selected-services.ts';
import { serviceTableOf, servicesOf } from '../service-table.ts';
import { INITIAL_STATE, type SupervisorState } from '../state.ts';
import { step } from '../step.ts';

type Booted = Extract<Event, { type: 'booted' }>;

/** The state in which an offline stop begins. */
export const STOP_ONLY: SupervisorState = { ...INITIAL_STATE, phase: 'stop-only' };

/** Returns the selected services. Selects from all services that a supervisor would know after this event. */
export const selectedIn = (event: Booted, at: Instant, selection: Selection): Selected =>
  select(step(STOP_ONLY, { at, event }).state, selection);

/**
 * Returns the state in which the stop continues. If an earlier stop sent SIGKILL and did not see the run end,
 * the check whether the run has ended begins again.
 */
const verifiedAnew = (actual: ServiceState, at: Instant): ServiceState => {
  if (actual.tag !== 'stopping' || actual.phase === 'asking') return actual;
  const { survivors: _seen, ...rest } = actual;
  return { ...rest, phase: 'killing', phaseSince: at };
};

/**
 * Returns the live runs of these services, newest first. If several runs of a service still have their main
 * process, returns only the newest of them, because the loop stops one run of a service at a time.
 */
const alive = ({ found }: Booted, asked: ReadonlySet<ServiceId>): readonly Found[] => {
  const all = found.filter(({ service }) => asked.has(service)).toSorted((a, b) => b.run - a.run);
  const newest = new Set(
    [...grouped(all, ({ service }) => service).values()].map((runs) => runs.find(hasLeader)),
  );
  return all.filter((one) => !hasLeader(one) || newest.has(one));
};

const hasLeader = ({ orphaned, child }: Found): boolean => !orphaned && !child;

/**
 * Returns the service with the desired state down. A live run without a record becomes the current run of the
 * service.
 */
const toStop = (service: Service, newest: Found | undefined, at: Instant): Service => {
  const isKnown = newest === undefined || service.rollout !== undefined || isOnRecord(service, newest);
  if (isKnown) return unwanted(service, verifiedAnew(service.actual, at));
  const { run } = newest;
  return unwanted({ ...service, runs: run }, { tag: 'spawning', run });
};

/** Returns the `booted` event for a loop that stops the services in `asked` and no others. */
export const onlyToStop = (booted: Booted, asked: ReadonlySet<ServiceId>, at: Instant): Booted => {
  const found = alive(booted, asked);
  const leaders = new Map(found.filter(hasLeader).map((one) => [one.service, one]));
  const restored = booted.restored.map((service) =>
    asked.has(service.spec.id) ? toStop(service, leaders.get(service.spec.id), at) : atRest(service),
  );
  return { ...booted, restored, found };
};

/**
 * Returns a function that computes the record of a service after an offline stop. A service that had to stop
 * gets its new state; any other service keeps its old record.
 */
export const recordOf = (
  { restored }: Booted,
  asked: ReadonlySet<ServiceId>,
): ((service: Service) => Service | undefined) => {
  const before = new Map(restored.map((service) => [service.spec.id, service]));
  return (service) => {
    const was = before.get(service.spec.id);
    if (!asked.has(service.spec.id)) return was;
    return was === undefined ? service : { ...service, runs: Math.max(service.runs, was.runs) };
  };
};

const recorded = (services: readonly Service[], record: ReturnType<typeof recordOf>): readonly Service[] =>
  services.flatMap((service) => record(service) ?? []);

/**
 * Returns a function that computes the records of all services after an offline stop. A service without a
 * record that did not have to stop gets no record: if it were recorded as at rest, the next supervisor would
 * kill its processes.
 */
export const asRecorded =
  (booted: Booted, asked: ReadonlySet<ServiceId>) =>
  (state: SupervisorState): SupervisorState => ({
    ...state,
    serviceTable: serviceTableOf(recorded(servicesOf(state.serviceTable), recordOf(booted, asked))),
  });
