// Starts a new run for `restart` and `apply`: after the old run has stopped, or while it still runs, as a
// rollout.
import type { ServiceId } from '../../domain/ids.ts';
import type { Rollout, Service } from '../../domain/service/service.ts';
import { nodeOf } from '../../graph/graph.ts';
import { awaitsTraffic } from '../../rollout/inputs-from-runs.ts';
import { declaredOf, withRollout } from '../../rollout/two-runs.ts';
import { strategyOf } from '../../rollout/strategy.ts';
import { askedBy } from '../../service/state-history.ts';
import { find, put, type Draft } from '../draft.ts';
import { send } from '../send.ts';
import { advance } from './advance-rollout.ts';

/**
 * True if the new run starts while the old one still runs: the service is ready and declares a rollout
 * strategy.
 */
export const isRolled = (draft: Draft, service: Service): boolean => {
  const spec = declaredOf(service);
  if (service.actual.tag !== 'up' || service.wanted === 'down' || spec.skip === true) return false;
  return strategyOf(spec) !== 'immediate' && !nodeOf(draft.state.graph, service.spec.id).awaitedCompletion;
};

/** How a new run is started. `by`: the program that sent the command, if a command is the reason. */
export interface RunOrder {
  readonly insisted: boolean;
  readonly by?: string;
}

const begin = (draft: Draft, before: Service, { insisted, by }: RunOrder): void => {
  const after = askedBy(withRollout(before, draft.at, insisted), by);
  put(draft, after);
  draft.rollouts.push({ before, after });
  draft.work.push({ before, after });
};

/**
 * Lets another rollout follow the rollout in progress, and cancels the rollout in progress if this is
 * possible.
 */
const beginAnew = (draft: Draft, service: Service & { rollout: Rollout }, order: RunOrder): void => {
  const { insisted } = order;
  const { id } = service.spec;
  const { rollout } = service;
  const again = { ...order, insisted: insisted || rollout.again?.insisted === true };
  put(draft, { ...service, rollout: { ...rollout, again } });
  if (service.wanted === 'down') send(draft, id, { type: 'start', ...order });
  advance(draft, id, { type: 'abort' });
};

/** Cancels a rollout that the manifest no longer asks for; the current run continues. */
export const callOff = (draft: Draft, id: ServiceId): void => advance(draft, id, { type: 'abort' });

/** True if the current run stays up when a new restart cancels the rollout of the service. */
const goesOn = (service: Service): boolean => service.wanted === 'up' || awaitsTraffic(service);

const isRolling = (service: Service): service is Service & { rollout: Rollout } =>
  service.rollout !== undefined;

/** Starts a new run of this service by its strategy. */
export const bring = (draft: Draft, id: ServiceId, order: RunOrder): void => {
  const service = find(draft, id);
  if (service === undefined) return;
  if (isRolling(service) && goesOn(service)) return beginAnew(draft, service, order);
  if (!isRolling(service) && isRolled(draft, service)) return begin(draft, service, order);
  send(draft, id, { type: 'restart', ...order });
};
