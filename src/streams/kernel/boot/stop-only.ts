// A stop without a supervisor is the supervisor's own: the same loop, begun with what a supervisor would find, in a phase
// in which nobody begins. Whoever is not asked to stop lies at rest in it: not watched, not probed, without a schedule or
// a hook, and yet in its place in the graph, so that the order of the stop is the same. What is recorded of it is what was.
import type { Selection } from '../../domain/command.ts';
import type { Event, Found } from '../../domain/event.ts';
import type { ServiceId } from '../../domain/ids.ts';
import type { Service, ServiceState } from '../../domain/service/service.ts';
import type { Instant } from '../../domain/time.ts';
import type { Selected } from '../../selection/select.ts';
import { atRest, unwanted } from './at-rest.ts';
import { isOnRecord } from './on-record.ts';
import { select } from '../requests/select.ts';
import { rosterOf, servicesOf } from '../roster.ts';
import { INITIAL_STATE, type SupervisorState } from '../state.ts';
import { step } from '../step.ts';

type Booted = Extract<Event, { type: 'booted' }>;

/** In which the loop of a mere stop begins. */
export const STOP_ONLY: SupervisorState = { ...INITIAL_STATE, phase: 'stop-only' };

/** Whom the selection means, of all that a supervisor would know after this beginning. */
export const selectedIn = (event: Booted, at: Instant, selection: Selection): Selected =>
  select(step(STOP_ONLY, { at, event }).state, selection);

/** Some ignored the stop so far: what it is given to be verified begins anew, or it would be told before it was looked at. */
const verifiedAnew = (actual: ServiceState, at: Instant): ServiceState => {
  if (actual.tag !== 'stopping' || actual.phase === 'asking') return actual;
  const { survivors: _seen, ...rest } = actual;
  return { ...rest, phase: 'killing', phaseSince: at };
};

/** The loop asks one run of a service at a time to stop, the newest first; who is left without a leader is ended beside. */
const alive = ({ found }: Booted, asked: ReadonlySet<ServiceId>): readonly Found[] => {
  const all = found.filter(({ service }) => asked.has(service)).toSorted((a, b) => b.run - a.run);
  const isFirst = (one: Found): boolean =>
    all.find(({ service, orphaned, child }) => service === one.service && !orphaned && !child) === one;
  return all.filter((one) => one.orphaned === true || one.child === true || isFirst(one));
};

/** A run that is alive, and not the one on record, is the present one for as long as it takes to stop it. */
const toStop = (service: Service, found: readonly Found[], at: Instant): Service => {
  const newest = found.find((one) => one.service === service.spec.id && !one.orphaned && !one.child);
  const isKnown = newest === undefined || service.rollout !== undefined || isOnRecord(service, newest);
  if (isKnown) return unwanted(service, verifiedAnew(service.actual, at));
  const { run } = newest;
  return unwanted({ ...service, runs: run }, { tag: 'spawning', run });
};

/** The same beginning for a loop that is to stop these services and touch no others. */
export const onlyToStop = (booted: Booted, asked: ReadonlySet<ServiceId>, at: Instant): Booted => {
  const found = alive(booted, asked);
  const restored = booted.restored.map((service) =>
    asked.has(service.spec.id) ? toStop(service, found, at) : atRest(service),
  );
  return { ...booted, restored, found };
};

/** What is to be recorded of a service: as it is now where it was asked, as it was otherwise, be that nothing. */
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
 * The same of all services. Who is on no record and was not asked stays on none: whoever is alive of it is found by the
 * next supervisor, which a record of somebody at rest would have end it.
 */
export const asRecorded =
  (booted: Booted, asked: ReadonlySet<ServiceId>) =>
  (state: SupervisorState): SupervisorState => ({
    ...state,
    roster: rosterOf(recorded(servicesOf(state.roster), recordOf(booted, asked))),
  });
