// Brings a service to a new run, by its strategy: at once, or beside the old one (`restart` and `apply`).
import type { ServiceId } from '../../domain/ids.ts';
import type { Rollout, Service } from '../../domain/service/service.ts';
import { nodeOf } from '../../graph/graph.ts';
import { awaitsTraffic } from '../../rollout/impulse.ts';
import { declaredOf, withRollout } from '../../rollout/runs.ts';
import { longestRollout, strategyOf } from '../../rollout/strategy.ts';
import { ms, type Ms } from '../../domain/time.ts';
import { find, put, type Draft } from '../draft.ts';
import { send } from '../send.ts';
import { advance } from './advance.ts';

/** It is ready, is to stay, and is declared to be rolled. What somebody waits to complete is no server, and begins anew. */
export const isRolled = (draft: Draft, service: Service): boolean => {
  const spec = declaredOf(service);
  if (service.actual.tag !== 'up' || service.wanted === 'down' || spec.skip === true) return false;
  return strategyOf(spec) !== 'immediate' && !nodeOf(draft.state.graph, service.spec.id).awaitedCompletion;
};

const begin = (draft: Draft, before: Service, insisted: boolean): void => {
  const after = withRollout(before, draft.at, insisted);
  put(draft, after);
  draft.rollouts.push({ before, after });
  draft.work.push({ before, after });
};

/** A rollout is under way: it is called off if it can be, and another one begins when it is over. */
const beginAnew = (draft: Draft, service: Service & { rollout: Rollout }, insisted: boolean): void => {
  const { id } = service.spec;
  const { rollout } = service;
  const again = { insisted: insisted || rollout.again?.insisted === true };
  put(draft, { ...service, rollout: { ...rollout, again } });
  if (service.wanted === 'down') send(draft, id, { type: 'start', insisted });
  advance(draft, id, { type: 'abort' });
};

/** Its declaration was taken back while it is rolled out: it is called off, if it can be, and the run that is there goes on. */
export const callOff = (draft: Draft, id: ServiceId): void => advance(draft, id, { type: 'abort' });

/** It is to stay, or was to stop once the switch is taken back: the restart is the newer order. */
const goesOn = (service: Service): boolean => service.wanted === 'up' || awaitsTraffic(service);

const isRolling = (service: Service): service is Service & { rollout: Rollout } =>
  service.rollout !== undefined;

/** How long a new run of this service may take to be there. */
export const longestTurn = (draft: Draft, id: ServiceId): Ms => {
  const { settings } = draft.state;
  const service = find(draft, id);
  if (service === undefined || !isRolled(draft, service)) return settings.startSettle;
  return ms(settings.startSettle + longestRollout(declaredOf(service), settings));
};

/** A new run for this service, by its strategy. */
export const bring = (draft: Draft, id: ServiceId, insisted: boolean): void => {
  const service = find(draft, id);
  if (service === undefined) return;
  if (isRolling(service) && goesOn(service)) return beginAnew(draft, service, insisted);
  if (!isRolling(service) && isRolled(draft, service)) return begin(draft, service, insisted);
  send(draft, id, { type: 'restart', insisted });
};
