// Whoever serves is not taken down for a run that cannot come.
import type { ServiceId } from '../../domain/ids.ts';
import type { Service } from '../../domain/service/service.ts';
import { declaredOf } from '../../rollout/runs.ts';
import { blockerOf } from '../../graph/hopeless.ts';
import { isRunning } from '../../graph/standing.ts';
import { find, type Draft } from '../draft.ts';
import { isRolled } from './bring.ts';

/** A process of it is there, and is to stay. */
const isServing = (service: Service): boolean => service.wanted === 'up' && isRunning(service);

/** Its run would end before the next one begins. */
const endsFirst = (draft: Draft, service: Service): boolean =>
  isServing(service) && service.rollout === undefined && !isRolled(draft, service);

/** A job begins at its times, and who is left out not at all. */
const beginsAtOnce = (service: Service, insisted: boolean): boolean => {
  const { kind, skip } = declaredOf(service);
  return insisted || (kind !== 'cron' && skip !== true);
};

interface InVain {
  /** It does not come, and nothing under way brings it. */
  readonly need: ServiceId;
  /** The run that is there would be stopped only to wait for it: it is kept. */
  readonly isKept: boolean;
}

/** The need for which a new run of this service would wait in vain. `coming`: those that are brought before it. */
export const inVain = (
  draft: Draft,
  service: Service,
  { insisted, coming = new Set() }: { readonly insisted: boolean; readonly coming?: ReadonlySet<ServiceId> },
): InVain | undefined => {
  if (!beginsAtOnce(service, insisted)) return undefined;
  const { graph } = draft.state;
  const need = blockerOf(service, { graph, find: (id) => find(draft, id), coming });
  return need === undefined ? undefined : { need, isKept: endsFirst(draft, service) };
};
