// A stop without a supervisor uses the same loop. It starts with what a supervisor would find, in a phase in
// which no service starts. Services that are not asked to stop are at rest: no watches, probes, schedules or
// hooks. They stay in the graph, so the order of the stop is the same, and their records stay as they were.
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

/** The state in which the loop of a mere stop begins. */
export const STOP_ONLY: SupervisorState = { ...INITIAL_STATE, phase: 'stop-only' };

/** The services selected from all that a supervisor would know after this start. */
export const selectedIn = (event: Booted, at: Instant, selection: Selection): Selected =>
  select(step(STOP_ONLY, { at, event }).state, selection);

/**
 * If an earlier stop already sent SIGKILL, verification begins again, so that nothing is reported before it
 * is checked.
 */
const verifiedAnew = (actual: ServiceState, at: Instant): ServiceState => {
  if (actual.tag !== 'stopping' || actual.phase === 'asking') return actual;
  const { survivors: _seen, ...rest } = actual;
  return { ...rest, phase: 'killing', phaseSince: at };
};

/**
 * The loop stops one run of a service at a time, the newest first. Orphaned processes and children are ended
 * as well.
 */
const alive = ({ found }: Booted, asked: ReadonlySet<ServiceId>): readonly Found[] => {
  const all = found.filter(({ service }) => asked.has(service)).toSorted((a, b) => b.run - a.run);
  const isFirst = (one: Found): boolean =>
    all.find(({ service, orphaned, child }) => service === one.service && !orphaned && !child) === one;
  return all.filter((one) => one.orphaned === true || one.child === true || isFirst(one));
};

/** The service not wanted. A live run that is not on record is its current one until it is stopped. */
const toStop = (service: Service, found: readonly Found[], at: Instant): Service => {
  const newest = found.find((one) => one.service === service.spec.id && !one.orphaned && !one.child);
  const isKnown = newest === undefined || service.rollout !== undefined || isOnRecord(service, newest);
  if (isKnown) return unwanted(service, verifiedAnew(service.actual, at));
  const { run } = newest;
  return unwanted({ ...service, runs: run }, { tag: 'spawning', run });
};

/** The same `booted` event for a loop that stops these services and touches no others. */
export const onlyToStop = (booted: Booted, asked: ReadonlySet<ServiceId>, at: Instant): Booted => {
  const found = alive(booted, asked);
  const restored = booted.restored.map((service) =>
    asked.has(service.spec.id) ? toStop(service, found, at) : atRest(service),
  );
  return { ...booted, restored, found };
};

/**
 * Returns what to record of a service: its current state if it was asked to stop, otherwise its old record,
 * if any.
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
 * The same for all services. One without a record that was not asked to stop gets none: recorded as at rest,
 * its live processes would be ended by the next supervisor.
 */
export const asRecorded =
  (booted: Booted, asked: ReadonlySet<ServiceId>) =>
  (state: SupervisorState): SupervisorState => ({
    ...state,
    roster: rosterOf(recorded(servicesOf(state.roster), recordOf(booted, asked))),
  });
