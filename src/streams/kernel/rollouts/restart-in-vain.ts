// Keeps a serving run if the new run that should replace it could not start.
// Rules: `docs/behaviour.md`, "Restart by hand", "restart"; `docs/behaviour.md`, "Watched files".
import type { ServiceId } from '../../domain/ids.ts';
import type { Service } from '../../domain/service/service.ts';
import { declaredOf } from '../../rollout/two-runs.ts';
import { blockerOf } from '../../graph/blocking-dependency.ts';
import { isRunning } from '../../graph/dependency-state.ts';
import { find, type Draft } from '../draft.ts';
import { isRolled } from './begin-rollout.ts';

const isServing = (service: Service): boolean => service.wanted === 'up' && isRunning(service);

/** True if the current run serves, and would be stopped before a new run begins. */
const endsFirst = (draft: Draft, service: Service): boolean =>
  isServing(service) && service.rollout === undefined && !isRolled(draft, service);

/**
 * True if a new run would begin at once. False for a cron service, or a service with `skip: true`, that the
 * user did not name.
 */
const beginsAtOnce = (service: Service, insisted: boolean): boolean => {
  const { kind, skip } = declaredOf(service);
  return insisted || (kind !== 'cron' && skip !== true);
};

interface InVain {
  /** A dependency that is not ready and that nothing in progress will make ready. */
  readonly need: ServiceId;
  /** True if the current run is kept, because a new run would only wait for `need`. */
  readonly isKept: boolean;
}

/**
 * Returns the dependency for which a new run would wait in vain; `undefined` if there is none. `coming`: the
 * services that the command starts before the new run.
 */
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
