// A service can reach what a command wants, and fail before all others are there. The answer names it like
// those that never got there. So a service that the answer does not name is where the command wanted it.
import type { Command } from '../../domain/command.ts';
import type { ServiceError, SupError } from '../../domain/errors/error.ts';
import type { In, Service } from '../../domain/service/service.ts';
import { hasFailed } from '../../graph/standing.ts';
import { find, type Draft } from '../draft.ts';
import type { Before, Request } from './request.ts';
import { verdictOf } from './verdict.ts';

const BRINGING: ReadonlySet<Command['type']> = new Set(['start', 'restart', 'apply', 'rollback']);

/** The error of a run that has failed and is still being stopped. */
const ofEnding = (service: Service, actual: In<'stopping'>): ServiceError | undefined => {
  if (!hasFailed(service)) return undefined;
  const { spec } = service;
  const { cause, exit: status = { tag: 'unknown' }, evidence = [] } = actual;
  if ('error' in cause) return cause.error;
  const wasReady = cause.tag === 'exited' && cause.wasReady;
  return { code: wasReady ? 'ERR0101' : 'ERR0102', service: spec.id, status, evidence };
};

/** The error of a service that is starting again, if it failed since the command came. */
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

/** The errors of targets that were where the command wants them, and have failed since. */
export const failedMeanwhile = (draft: Draft, request: Request): readonly SupError[] => {
  if (!BRINGING.has(request.command.type)) return [];
  const named = request.failures.flatMap((error) => ('service' in error ? [error.service] : []));
  const others = new Set([...named, ...request.queue]);
  return request.targets
    .filter((id) => !others.has(id))
    .flatMap((id) => find(draft, id) ?? [])
    .flatMap((service) => failureOf(draft, request, service) ?? []);
};
