// Computes the plan of an apply: the services that it would change, in order. Changes nothing.
import type { Command } from '../../domain/command.ts';
import type { ServiceId } from '../../domain/ids.ts';
import type { Plan, PlannedChange } from '../../domain/apply-plan.ts';
import type { Service } from '../../domain/service/service.ts';
import {
  plannedAddition,
  plannedChange,
  plannedInVain,
  plannedLive,
  plannedRemoval,
  plannedReturn,
  plannedSkip,
} from '../../rollout/rollout-plan.ts';
import { isTakenBack } from '../../rollout/two-runs.ts';
import { liveRevision } from '../../rollout/without-restart.ts';
import { inOrder, isRequired, nodeOf } from '../../graph/graph.ts';
import { isSkipped } from '../../graph/dependency-state.ts';
import { find, serviceIs, type Draft } from '../draft.ts';
import { isRolled } from '../rollouts/begin-rollout.ts';
import { inVain } from '../rollouts/restart-in-vain.ts';
import { servicesOf } from '../service-table.ts';
import { isNew, isReturning } from './selected-services.ts';
import type { Request } from './request.ts';
import type { TakenUp } from './services-to-change.ts';
import { insists } from './restart-in-turn.ts';

const planned = (draft: Draft, service: Service): PlannedChange =>
  isNew(service) || isReturning(service)
    ? plannedAddition(service)
    : plannedChange(service, isRolled(draft, service));

/** Returns services that are down and were declared again during their removal: any apply starts them. */
const returning = (draft: Draft): readonly ServiceId[] =>
  servicesOf(draft.state.serviceTable)
    .filter(isReturning)
    .map(({ spec }) => spec.id);

/**
 * True if the service is skipped because it requires a skipped service. `leftOut`: the services that the plan
 * skips.
 */
const isLeftOut = (draft: Draft, service: Service, leftOut: ReadonlySet<ServiceId>): boolean =>
  nodeOf(draft.state.graph, service.spec.id)
    .needs.filter(isRequired)
    .some(({ service: id }) => leftOut.has(id) || serviceIs(draft, id, isSkipped));

/**
 * Returns the planned change of a service that needs no new run: the apply cancels its rollout, or the
 * current run can use the whole new declaration.
 */
const goesOn = (service: Service): PlannedChange | undefined => {
  if (service.rollout !== undefined && isTakenBack(service)) return plannedReturn(service, service.rollout);
  const revision = liveRevision(service);
  return revision && plannedLive(service, revision);
};

/**
 * Returns the planned changes in order. If a service would wait in vain for a dependency, its own dependents
 * would also wait in vain.
 */
const changesOf = (draft: Draft, command: Command, ids: readonly ServiceId[]): readonly PlannedChange[] => {
  const coming = new Set(returning(draft));
  const leftOut = new Set<ServiceId>();
  return ids.flatMap((id): readonly PlannedChange[] => {
    const service = find(draft, id);
    if (service === undefined) return [];
    const settled = goesOn(service);
    if (settled !== undefined) return [settled];
    const change = planned(draft, service);
    if (change.rest === 'skipped' || (change.action === 'add' && isLeftOut(draft, service, leftOut))) {
      leftOut.add(id);
      return [plannedSkip(change)];
    }
    const found = inVain(draft, service, { insisted: insists(command, service), coming });
    if (found !== undefined) return [plannedInVain(change, found)];
    coming.add(id);
    return [change];
  });
};

/** Returns the plan of an apply; removed services come first. */
export const planOf = (draft: Draft, { command, tables }: Request, { ids, gone }: TakenUp): Plan => ({
  ...(tables && { tables }),
  changes: [...gone.map(plannedRemoval), ...changesOf(draft, command, inOrder(draft.state.graph, ids))],
});
