// An offline stop stops services while no supervisor runs, with the same loop as the supervisor. It starts
// from the state that a supervisor would find, in a phase in which no service starts. All other services are
// at rest: no watches, probes, schedules or hooks. They stay in the dependency graph, so that the order of
// the stop is the same, and their records stay unchanged.
import type { Selection } from '../../domain/command.ts';
import type { Event, Found } from '../../domain/event.ts';
import type { ServiceId } from '../../domain/ids.ts';
import type { Service, ServiceState } from '../../domain/service/service.ts';
import type { Instant } from '../../domain/time.ts';
import type { Selected } from '../../selection/select.ts';
import { atRest, unwanted } from './at-rest.ts';
import { isOnRecord } from './found-runs.ts';
import { select } from '../requests/selected-services.ts';
import { rosterOf, servicesOf } from '../service-table.ts';
import { INITIAL_STATE, type SupervisorState } from '../state.ts';
import { step } from '../step.ts';

type Booted = Extract<Event, { type: 'booted' }>;

/** The state in which the loop begins for an offline stop (services are stopped while no supervisor runs). */
export const STOP_ONLY: SupervisorState = { ...INITIAL_STATE, phase: 'stop-only' };

/**
 * Returns the selected services, out of all that a supervisor would know after the first step with this
 * event.
 */
export const selectedIn = (event: Booted, at: Instant, selection: Selection): Selected =>
  select(step(STOP_ONLY, { at, event }).state, selection);

/**
 * Returns the state of a run with the check of its end begun again, if an earlier stop had already sent
 * SIGKILL. So the end is verified before anything is reported.
 */
const verifiedAnew = (actual: ServiceState, at: Instant): ServiceState => {
  if (actual.tag !== 'stopping' || actual.phase === 'asking') return actual;
  const { survivors: _seen, ...rest } = actual;
  return { ...rest, phase: 'killing', phaseSince: at };
};

/**
 * Returns the live runs of the services in `asked`, newest first. Of each service only the newest run with a
 * leader is included, because the loop stops one run of a service at a time. Orphaned processes and children
 * are all included.
 */
const alive = ({ found }: Booted, asked: ReadonlySet<ServiceId>): readonly Found[] => {
  const all = found.filter(({ service }) => asked.has(service)).toSorted((a, b) => b.run - a.run);
  const isFirst = (one: Found): boolean =>
    all.find(({ service, orphaned, child }) => service === one.service && !orphaned && !child) === one;
  return all.filter((one) => one.orphaned === true || one.child === true || isFirst(one));
};

/**
 * Returns the service with its desired state set to down. A live run that is not on record becomes its
 * current run, so that it is stopped too.
 */
const toStop = (service: Service, found: readonly Found[], at: Instant): Service => {
  const newest = found.find((one) => one.service === service.spec.id && !one.orphaned && !one.child);
  const isKnown = newest === undefined || service.rollout !== undefined || isOnRecord(service, newest);
  if (isKnown) return unwanted(service, verifiedAnew(service.actual, at));
  const { run } = newest;
  return unwanted({ ...service, runs: run }, { tag: 'spawning', run });
};

/** Returns the `booted` event for a loop that stops the services in `asked` and no others. */
export const onlyToStop = (booted: Booted, asked: ReadonlySet<ServiceId>, at: Instant): Booted => {
  const found = alive(booted, asked);
  const restored = booted.restored.map((service) =>
    asked.has(service.spec.id) ? toStop(service, found, at) : atRest(service),
  );
  return { ...booted, restored, found };
};

/**
 * Returns a function that returns the record to save of a service: its current state if it was to be stopped,
 * otherwise its old record, if any.
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
 * Returns a function that returns the records to save of all services. A service without an old record that
 * was not to be stopped gets none: if it were recorded as at rest, the next supervisor would kill its live
 * processes.
 */
export const asRecorded =
  (booted: Booted, asked: ReadonlySet<ServiceId>) =>
  (state: SupervisorState): SupervisorState => ({
    ...state,
    roster: rosterOf(recorded(servicesOf(state.roster), recordOf(booted, asked))),
  });
