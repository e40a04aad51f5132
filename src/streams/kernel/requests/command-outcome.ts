// Computes the outcome of a command for each of its services. A service may reach the state that the command
// wants and then fail while others are still pending; the reply lists it as failed. So every service that the
// reply does not list as failed is in the wanted state.
import type { Became, Outcome, Command } from '../../domain/command.ts';
import type { ServiceId } from '../../domain/ids.ts';
import type { DownReason, Schedule, Service, Tag, In } from '../../domain/service/service.ts';
import { between, type Instant, type Ms } from '../../domain/time.ts';
import type { Before, Request } from './request.ts';
import type { ServiceError, SupError } from '../../domain/errors/error.ts';
import { hasFailed } from '../../graph/dependency-state.ts';
import { find, type Draft } from '../draft.ts';
import { verdictOf } from './target-outcome.ts';

/** States with a process that is ready or starting. */
const RUNNING: ReadonlySet<Tag> = new Set<Tag>(['starting', 'up']);

const ofDown = (why: DownReason, ran: boolean): Became => {
  if (why.tag === 'skipped') return 'skipped';
  return ran ? 'done' : 'done-before';
};

/** Returns the outcome of a start of a cron service, from its last scheduled run that was started. */
const ofScheduled = ({ runs }: Schedule): Became => {
  const last = runs.findLast(({ startedAt }) => startedAt !== undefined);
  return last === undefined || last.result === 'success' ? 'done' : 'scheduled';
};

/**
 * Returns the outcome of a start. `stopped`: another command has stopped the service since. A failed service
 * has no outcome here, because its error is the reply.
 */
const ofStart = ({ actual, runs, schedule, wanted }: Service, before: Before): Became => {
  const ran = runs > before.runs;
  if (wanted === 'down') return 'stopped';
  switch (actual.tag) {
    case 'up':
      return ran || before.tag !== 'up' ? 'started' : 'running';
    case 'scheduled':
      return ran ? ofScheduled(schedule) : 'scheduled';
    case 'down':
      return ofDown(actual.why, ran);
    default:
      return 'started';
  }
};

/**
 * Returns the time during which the service was not ready: from the last moment when an earlier run was
 * ready, to readiness of the current run. `undefined` if there was no such gap, or the service is not ready
 * now.
 */
const downtime = ({ actual, history }: Service, since: Instant): Ms | undefined => {
  if (actual.tag !== 'up') return undefined;
  const left = history.findLast(({ from, to, at }) => from === 'up' && to !== 'up' && at >= since);
  return left === undefined || left.at >= actual.readyAt ? undefined : between(left.at, actual.readyAt);
};

const ofRestart = (service: Service, before: Before, since: Instant): Omit<Outcome, 'service'> => {
  // A new run of a cron service since then was started by its schedule and not by this command.
  const isSameRun = service.runs === before.runs || service.spec.kind === 'cron';
  if (before.live !== undefined && isSameRun) return { what: 'updated', keys: before.live };
  const what = ofStart(service, before);
  if (what !== 'started' || !RUNNING.has(before.tag)) return { what };
  const down = downtime(service, since);
  return { what: 'restarted', ...(down === undefined ? {} : { down }) };
};

const REST: Before = { tag: 'down', runs: 0 };

/**
 * Returns the outcome of a command for this service. `service` is absent if it was removed from the service
 * table.
 */
export const outcomeOf = (
  { command: { type }, before, since }: Pick<Request, 'command' | 'before' | 'since'>,
  id: ServiceId,
  service: Service | undefined,
): Outcome => {
  const was = before[id] ?? REST;
  if (service === undefined) return { service: id, what: 'removed' };
  switch (type) {
    case 'start':
      return { service: id, what: ofStart(service, was) };
    case 'restart':
    case 'apply':
    case 'rollback':
      return { service: id, ...ofRestart(service, was, since) };
    default:
      return { service: id, what: was.tag === 'down' ? 'down-before' : 'stopped' };
  }
};

const BRINGING: ReadonlySet<Command['type']> = new Set(['start', 'restart', 'apply', 'rollback']);

/**
 * Returns the error of a service if its failed run is still being stopped; `undefined` if the run has not
 * failed.
 */
const ofEnding = (service: Service, actual: In<'stopping'>): ServiceError | undefined => {
  if (!hasFailed(service)) return undefined;
  const { spec } = service;
  const { cause, exit: status = { tag: 'unknown' }, evidence = [] } = actual;
  if ('error' in cause) return cause.error;
  const wasReady = cause.tag === 'exited' && cause.wasReady;
  return { code: wasReady ? 'ERR0101' : 'ERR0102', service: spec.id, status, evidence };
};

/** Returns the error of a service that is starting again, if it has failed since the command came. */
const ofPending = (service: Service, before: Before | undefined): ServiceError | undefined => {
  const { actual, lastFailure } = service;
  if (actual.tag === 'stopping') return ofEnding(service, actual);
  return lastFailure?.at === before?.failed ? undefined : lastFailure?.error;
};

const failureOf = (
  draft: Draft,
  { command, since, before }: Request,
  service: Service,
): SupError | undefined => {
  const { graph } = draft.state;
  const around = {
    ...{ graph, since, at: draft.at, before: before[service.spec.id] },
    find: (id: Service['spec']['id']) => find(draft, id),
  };
  const verdict = verdictOf(command.type, service, around);
  if (verdict === 'pending') return ofPending(service, around.before);
  // A newer command that overrides this one is no failure.
  return verdict === 'reached' || verdict.code === 'ERR0117' ? undefined : verdict;
};

/** Returns the errors of services that reached the state which the command wants, and have failed since. */
export const failedMeanwhile = (draft: Draft, request: Request): readonly SupError[] => {
  if (!BRINGING.has(request.command.type)) return [];
  const named = request.failures.flatMap((error) => ('service' in error ? [error.service] : []));
  const others = new Set([...named, ...request.queue]);
  return request.targets
    .filter((id) => !others.has(id))
    .flatMap((id) => find(draft, id) ?? [])
    .flatMap((service) => failureOf(draft, request, service) ?? []);
};
