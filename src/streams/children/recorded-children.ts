// Records children that have ended, and restores recorded children after a start of the supervisor. A child
// continues if it was found by its run tag or has a recorded process; a watch then shows whether the process
// lives. A child without either has ended while no supervisor ran.
// Rules: `docs/behaviour.md`, "Children that a service asks for", "When it ends", "A new supervisor".
import type { ServiceError } from '../domain/errors/error.ts';
import type { Found } from '../domain/event.ts';
import { childrenIn, type Child, type PastChild } from '../domain/service/child.ts';
import type { Service } from '../domain/service/service.ts';
import type { Instant } from '../domain/time.ts';
import { UNPROBED } from '../domain/service/service-state.ts';

/** The maximum number of records of ended children for each service. */
const KEPT = 50;

/** Returns the record of an ended child. `over`: the last state of its run, if a supervisor saw the end. */
export const pastOf = (child: Child, at: Instant, over?: Pick<Service, 'actual' | 'lastExit'>): PastChild => {
  const { name, run, parent, argv, born, ending, actual } = child;
  const exit = over?.lastExit?.status ?? child.exit;
  const error = refusalIn(over);
  return {
    ...{ name, run, parent, argv, born, ended: at },
    ...('process' in actual && { pid: actual.process.pid }),
    ...(exit && { exit }),
    ...(ending && { ending }),
    ...(error && { error }),
  };
};

/** Returns the error of a child that could not be started. */
const refusalIn = (over: Pick<Service, 'actual'> | undefined): ServiceError | undefined => {
  if (over?.actual.tag !== 'down' || over.actual.why.tag !== 'failed') return undefined;
  const { error } = over.actual.why;
  return 'status' in error ? undefined : error;
};

/** Returns the service with one more record of an ended child. */
export const withPast = (service: Service, past: PastChild): Service => ({
  ...service,
  pastChildren: [...(service.pastChildren ?? []), past].slice(-KEPT),
});

interface BootFacts {
  readonly found: readonly Found[];
  readonly sameBoot: boolean;
  readonly at: Instant;
}

const goesOn = (child: Child, { found, sameBoot, at }: BootFacts): Child | undefined => {
  const { askedBy: _, ...rest } = child;
  if ('process' in child.actual) return sameBoot ? rest : undefined;
  const one = found.find(({ run, orphaned }) => run === child.run && !orphaned);
  if (one === undefined) return undefined;
  const { run, process } = one;
  return { ...rest, actual: { tag: 'starting', run, process, since: at, health: UNPROBED } };
};

/** Returns the restored service with the children that continue. All other children are recorded as ended. */
export const childrenRestored = (service: Service, bootFacts: BootFacts): Service => {
  const { grants: _, treeMemory: __, children: ___, ...rest } = service;
  const before = childrenIn(service);
  const there = before.flatMap((child) => goesOn(child, bootFacts) ?? []);
  const kept = new Set(there.map(({ run }) => run));
  const gone = before.filter(({ run }) => !kept.has(run)).map((child) => pastOf(child, bootFacts.at));
  const after: Service = there.length === 0 ? rest : { ...rest, children: there };
  return gone.reduce(withPast, after);
};
