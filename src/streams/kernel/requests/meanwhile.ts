// Who was where a command wanted it, and has failed before all others were there: an answer that names others names it,
// too. Whoever reads of those who failed takes everybody else for running.
import type { Command } from '../../domain/command.ts';
import type { ServiceError, SupError } from '../../domain/errors/error.ts';
import type { Service } from '../../domain/service/service.ts';
import { hasFailed } from '../../graph/standing.ts';
import { find, type Draft } from '../draft.ts';
import type { Request } from './request.ts';
import { verdictOf } from './verdict.ts';

const BRINGING: ReadonlySet<Command['type']> = new Set(['start', 'restart', 'apply']);

/** It has failed, and what is left of its run is being cleared away. */
const ofEnding = (service: Service): ServiceError | undefined => {
  const { actual, spec } = service;
  if (actual.tag !== 'stopping' || !hasFailed(service)) return undefined;
  const { cause, exit: status = { tag: 'unknown' }, evidence = [] } = actual;
  if ('error' in cause) return cause.error;
  const wasReady = cause.tag === 'exited' && cause.wasReady;
  return { code: wasReady ? 'ERR0101' : 'ERR0102', service: spec.id, status, evidence };
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
  if (verdict === 'pending') return ofEnding(service);
  // Somebody's wish is no failure.
  return verdict === 'reached' || verdict.code === 'ERR0117' ? undefined : verdict;
};

/** The errors of those targets that are decided, and not where they were any more. */
export const failedMeanwhile = (draft: Draft, request: Request): readonly SupError[] => {
  if (!BRINGING.has(request.command.type)) return [];
  const named = request.failures.flatMap((error) => ('service' in error ? [error.service] : []));
  const others = new Set([...named, ...request.queue]);
  return request.targets
    .filter((id) => !others.has(id))
    .flatMap((id) => find(draft, id) ?? [])
    .flatMap((service) => failureOf(draft, request, service) ?? []);
};
