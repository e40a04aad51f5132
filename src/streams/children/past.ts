// The record of children that have ended.
// Rules: `docs/behaviour.md`, "Children that a service asks for", "When it ends".
import type { Child, PastChild } from '../domain/service/child.ts';
import type { ServiceError } from '../domain/errors/error.ts';
import type { Service } from '../domain/service/service.ts';
import type { Instant } from '../domain/time.ts';

/** Records kept for each service. */
const KEPT = 50;

/** Returns the record. `over` is its run at the end; absent if the end was not seen. */
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

/** Returns the error of a child that never ran. */
const refusalIn = (over: Pick<Service, 'actual'> | undefined): ServiceError | undefined => {
  if (over?.actual.tag !== 'down' || over.actual.why.tag !== 'failed') return undefined;
  const { error } = over.actual.why;
  return 'status' in error ? undefined : error;
};

/** Adds a record; above fifty, the oldest is dropped. */
export const withPast = (service: Service, past: PastChild): Service => ({
  ...service,
  pastChildren: [...(service.pastChildren ?? []), past].slice(-KEPT),
});
