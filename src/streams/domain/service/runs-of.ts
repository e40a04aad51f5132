// Access to the one or two runs of a service, and functions that separate the fields of its current run from
// its other facts.
import type { Run, WhichRun } from './service-run.ts';
import type { Service, ServiceFacts } from './service.ts';

/** Returns the current run of the service and, during a rollout, the other run. */
export const runsOf = (service: Service): readonly Run[] =>
  service.rollout === undefined ? [service] : [service, service.rollout.other];

/**
 * Returns the current or the other run of the service; `undefined` if `which` is `other` and there is no
 * rollout.
 */
export const runOf = (service: Service, which: WhichRun): Run | undefined =>
  which === 'current' ? service : service.rollout?.other;

const FACTS: Readonly<Record<keyof ServiceFacts, true>> = {
  revised: true,
  rejected: true,
  previous: true,
  rolledBack: true,
  remnants: true,
  children: true,
  pastChildren: true,
  grants: true,
  treeMemory: true,
  slotKept: true,
  rollout: true,
  rollouts: true,
  resume: true,
  leaving: true,
  gate: true,
  awaitedBy: true,
};

const isFact = ([key]: readonly [string, unknown]): boolean => Object.hasOwn(FACTS, key);

/** Returns the run without the fields that belong to its service and not to one run. */
export const withoutFacts = (run: Run): Run =>
  // `isFact` knows every field of the service itself, so all other fields are those of a run.
  Object.fromEntries(Object.entries(run).filter((field) => !isFact(field))) as unknown as Run;

/** Returns only the fields that belong to the service itself, without those of its current run. */
export const factsOf = (service: ServiceFacts): ServiceFacts =>
  Object.fromEntries(Object.entries(service).filter(isFact)) as unknown as ServiceFacts;
