// Starts waiting runs when their dependencies are ready and the gate has a free place. The new run of a
// rollout needs no place, because a command starts only one such run at a time.
// Rules: `docs/behaviour.md`, "Starting", "Order", "Skip".
import { isFollowed } from '../../domain/service/child.ts';
import type { ServiceId } from '../../domain/ids.ts';
import type { Dependency } from '../../domain/declared/spec.ts';
import type { WhichRun } from '../../domain/service/service-run.ts';
import { runOf } from '../../domain/service/runs-of.ts';
import type { Rollout, Service } from '../../domain/service/service.ts';
import { isForwards } from '../../rollout/inputs-from-runs.ts';
import { isCalledOff, isReverting, stepOf } from '../../rollout/rollout-input.ts';
import { slotted } from '../../rollout/slot-pair.ts';
import { nodeOf } from '../../graph/graph.ts';
import { isSkipped, satisfies, skippedWith } from '../../graph/dependency-state.ts';
import { find, put, type Draft, type Visit } from '../draft.ts';
import { freesPlace, letIn, letInNext, stepBack, type AdmitInput } from './concurrency-gate.ts';
import { needsOf } from './dependencies-ready.ts';
import { send, sendTo, type RunAddress } from '../send.ts';

/**
 * True while the new run is being withdrawn, or while the traffic is switched back after a cancelled rollout.
 * Meanwhile the current run must not start, because it may use the same declaration as the new run.
 */
const isGivenUp = (rollout: Rollout): boolean =>
  stepOf(rollout) === 'withdrawing' || (isReverting(rollout) && isCalledOff(rollout.undoing));

/** True if the second run of the rollout must not start any more. */
const isWithdrawn = (rollout: Rollout): boolean => !isForwards(rollout) || rollout.other.wanted === 'down';

/** True if the run must not start: leftover processes, children or a withdrawn new run must end first. */
const isHeldBack = (service: Service, which: WhichRun): boolean => {
  const { rollout, remnants } = service;
  if (remnants !== undefined) return true;
  if (which === 'other') return rollout !== undefined && isWithdrawn(rollout);
  return isFollowed(service) || (rollout !== undefined && isGivenUp(rollout));
};

/** Starts a run with ready dependencies. A current run gets its blue/green slot here. */
const begin = (
  draft: Draft,
  service: Service,
  { address, without }: { readonly address: RunAddress; readonly without: readonly ServiceId[] },
): void => {
  const admit: AdmitInput = { type: 'admit', ...(without.length > 0 && { without }) };
  if (address.which === 'other') return sendTo(draft, address, admit);
  const own = slotted(service);
  if (own !== service) put(draft, own);
  letIn(draft, own, admit);
};

/** Starts or skips a run or lets it wait, by the state of its dependencies. */
const decide = (draft: Draft, service: Service, address: RunAddress): void => {
  const needs = needsOf(draft, address.service);
  switch (needs.tag) {
    case 'skipped':
      return sendTo(draft, address, { type: 'pass-over', dependency: needs.by });
    case 'there':
      return begin(draft, service, { address, without: needs.without });
    case 'missing':
      if (address.which === 'current') stepBack(draft, service);
  }
};

/** Starts this run if it waits and its dependencies are ready. */
export const admitRun = (draft: Draft, address: RunAddress): void => {
  // No run starts while the supervisor is ending, or in an offline stop.
  if (draft.state.phase !== 'running') return;
  const service = find(draft, address.service);
  if (service === undefined || runOf(service, address.which)?.actual.tag !== 'waiting') return;
  if (!isHeldBack(service, address.which)) decide(draft, service, address);
};

const admitCurrent = (draft: Draft, service: ServiceId): void =>
  admitRun(draft, { service, which: 'current' });

/** Starts the current run of a service if it waits and its dependencies are ready. */
export const admit = (draft: Draft, { after }: Visit): void => admitCurrent(draft, after.spec.id);

/** True if the change alters whether dependents with this `condition` may start. */
const comesOrGoes = ({ before, after }: Visit, condition: Dependency['condition']): boolean =>
  satisfies(after, condition) !== satisfies(before, condition);

const admitBoth = (draft: Draft, service: ServiceId): void => {
  admitCurrent(draft, service);
  admitRun(draft, { service, which: 'other' });
};

/** Starts, skips or holds back the dependents that wait for a service which just changed. */
export const admitDependents = (draft: Draft, visit: Visit): void => {
  const { after } = visit;
  const { neededBy, attendedBy } = nodeOf(draft.state.graph, after.spec.id);
  attendedBy.forEach((id) => admitBoth(draft, id));
  if (!comesOrGoes(visit, 'started') && !comesOrGoes(visit, 'completed') && !isSkipped(after)) return;
  neededBy.forEach((id) => admitBoth(draft, id));
};

/**
 * Lets the service wait to start again if it was skipped with a dependency and this dependency no longer
 * causes that.
 */
const retrySkippedService = (draft: Draft, id: ServiceId): void => {
  const service = find(draft, id);
  const by = service && skippedWith(service);
  if (by === undefined || service?.wanted !== 'up') return;
  const needs = needsOf(draft, id);
  if (needs.tag !== 'skipped' || needs.by !== by) send(draft, id, { type: 'raise' });
};

/**
 * Lets the changed service wait to start again if it was skipped with a dependency that no longer causes
 * that.
 */
export const retrySkipped = (draft: Draft, { after }: Visit): void =>
  retrySkippedService(draft, after.spec.id);

/** If the service is no longer skipped, lets the dependents wait to start that were skipped with it. */
export const retrySkippedDependents = (draft: Draft, { before, after }: Visit): void => {
  if (!isSkipped(before) || isSkipped(after)) return;
  nodeOf(draft.state.graph, after.spec.id).neededBy.forEach((id) => retrySkippedService(draft, id));
};

/** If a service gave its place at the gate back, starts queued services. */
export const leaveGate = (draft: Draft, visit: Visit): void => {
  if (freesPlace(draft, visit)) letInNext(draft, (id) => admitCurrent(draft, id));
};
