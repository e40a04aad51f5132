// The runs of a service: one, or two during a rollout. A service has facts of its current run and facts of
// the service itself; this file separates them.
import type { Run, WhichRun } from './service-run.ts';
import type { Service, ServiceFacts } from './service.ts';

/** Returns the current run and, during a rollout, also the second run. */
export const runsOf = (service: Service): readonly Run[] =>
  service.rollout === undefined ? [service] : [service, service.rollout.other];

/** Returns one of the service's runs; `undefined` for `other` without a rollout. */
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
  changedFile: true,
  slotKept: true,
  rollout: true,
  rollouts: true,
  resume: true,
  leaving: true,
  gate: true,
  awaitedBy: true,
};

const isFact = ([key]: readonly [string, unknown]): boolean => Object.hasOwn(FACTS, key);

/** Returns a copy of the run that has only the fields of a run, without those of the service itself. */
export const withoutFacts = (run: Run): Run =>
  // `isFact` knows every field of the service itself, so the fields that it does not know are those of a run.
  Object.fromEntries(Object.entries(run).filter((field) => !isFact(field))) as unknown as Run;

/** Returns a copy that has only the fields of the service itself, without those of its current run. */
export const factsOf = (service: ServiceFacts): ServiceFacts =>
  Object.fromEntries(Object.entries(service).filter(isFact)) as unknown as ServiceFacts;
