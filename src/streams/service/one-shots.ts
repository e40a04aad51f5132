// One-shots: whether a clean exit completes the service, and when a completed service runs again.
// Rules: `docs/behaviour.md`, "One-shots"; `docs/behaviour.md`, "Readiness"; `docs/behaviour.md`,
// "Restarting".
import type { ServiceError } from '../domain/errors/error.ts';
import { sameProcess } from '../domain/service/process.ts';
import type { DownReason, In, ServiceOrRun } from '../domain/service/service.ts';
import { begins } from './scheduled/scheduled-runs.ts';
import type { CellContext, Change, Situation } from './service-input.ts';
import { isDeclaredAgain } from './wait-to-start.ts';

/** A run that is over: its process tree is gone and its exit is known. */
export interface Finished {
  readonly service: ServiceOrRun;
  readonly state: In<'stopping'>;
  readonly context: CellContext;
}

/**
 * Returns ERR0118 if the program left a process in the background and exited before it was ready. There is no
 * error if the exit completes the service, that is, if the policy is `never` or a dependent waits for its
 * completion.
 */
export const wentAway = (
  { service, state, context }: Finished,
  wasReady: boolean,
): ServiceError | undefined => {
  const { id, restartPolicy } = service.spec;
  if (state.daemon === undefined || wasReady || restartPolicy === 'never' || context.awaitedCompletion)
    return undefined;
  return { code: 'ERR0118', service: id, daemon: state.daemon, evidence: state.evidence ?? [] };
};

/** Returns, as `left`, how many processes got the stop signal, not counting the leader. */
const leftBy = ({ asked, process }: In<'stopping'>): { readonly left?: number } => {
  const left = asked.filter((ref) => !sameProcess(ref, process)).length;
  return left === 0 ? {} : { left };
};

/**
 * Returns the change after a clean exit. The service is completed if it was not ready yet, if its policy is
 * `never`, or if a dependent waits for its completion. Otherwise the service has only ended.
 */
export const afterCleanExit = ({ service, state, context }: Finished, wasReady: boolean): Change => {
  const completed = !wasReady || service.spec.restartPolicy === 'never' || context.awaitedCompletion;
  const why: DownReason = completed ? { tag: 'completed', ...leftBy(state) } : { tag: 'ended' };
  return { to: { tag: 'down', why }, patch: { recovering: false } };
};

/**
 * True if the completed service does not run again: the command did not name it, and its declaration needs no
 * new run.
 */
export const staysDone = ({ service, state }: Finished, { to }: Change): boolean =>
  to?.tag === 'down' && to.why.tag === 'completed' && state.named !== true && !isDeclaredAgain(service);

const isDone = (state: In<'down'>): boolean => state.why.tag === 'completed';

/**
 * Starts a service that is down. A completed one-shot starts only if the command names it, or if its
 * declaration needs a new run.
 */
export const startFromDown = (cell: Situation<'down', 'start' | 'restart'>): Change => {
  const { service, state, input } = cell;
  if (isDone(state) && !input.insisted && !isDeclaredAgain(service)) return { patch: { wanted: 'up' } };
  return begins(cell, input.insisted);
};
