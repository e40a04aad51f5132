// Kills leftover processes of earlier runs with SIGKILL until a process scan finds none. Until then, no run
// of the service begins (`docs/behaviour.md`, "Adoption").
import type { Effect } from '../../domain/effect.ts';
import type { ServiceNews } from '../../domain/event.ts';
import type { LeftoverRun, Service } from '../../domain/service/service.ts';
import type { ProcessRef } from '../../domain/service/process.ts';
import { put, type Draft } from '../draft.ts';

/** Returns the leftover run that the event is about. */
export const leftoverIn = ({ remnants }: Service, news: ServiceNews): LeftoverRun | undefined =>
  news.type === 'surveyed' || news.type === 'elapsed'
    ? remnants?.find(({ run }) => run === news.run)
    : undefined;

const replaced = (service: Service, leftover: LeftoverRun, by: readonly LeftoverRun[]): Service => {
  const { remnants = [], ...rest } = service;
  const left = [...remnants.filter((one) => one !== leftover), ...by];
  return left.length === 0 ? rest : { ...rest, remnants: left };
};

const change = (draft: Draft, before: Service, after: Service): void => {
  put(draft, after);
  draft.work.push({ before, after });
};

/**
 * Returns the effect that sends SIGKILL to the processes of a leftover run, and to the processes that they
 * fork meanwhile.
 */
const killSignal = (
  { spec }: Service,
  { run, process }: LeftoverRun,
  targets: readonly ProcessRef[],
): Effect => ({
  type: 'signal',
  service: spec.id,
  run,
  leader: process,
  targets,
  signal: 'SIGKILL',
});

/**
 * Continues a kill: sends SIGKILL to the processes that a scan found, or removes the leftover run if the scan
 * found none. At the time limit, marks the leftover run as unverified.
 */
export const continueKill = (
  draft: Draft,
  service: Service,
  [leftover, news]: readonly [LeftoverRun, ServiceNews],
): void => {
  if (news.type === 'elapsed' && news.timer === 'stop-verify')
    return change(draft, service, replaced(service, leftover, [{ ...leftover, unverified: true }]));
  if (news.type !== 'surveyed') return;
  const { alive } = news;
  if (alive.length === 0) return change(draft, service, replaced(service, leftover, []));
  draft.effects.push(killSignal(service, leftover, alive));
  put(draft, replaced(service, leftover, [{ ...leftover, alive }]));
};
