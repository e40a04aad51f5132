// Finds the services that a command selects, and why an apply has to change each of them: the service is new,
// is declared again, or runs with an older declaration.
// Rules: `docs/behaviour.md`, "Restart by hand", "apply".
import type { Selection } from '../../domain/command.ts';
import type { ServiceId } from '../../domain/ids.ts';
import type { Service } from '../../domain/service/service.ts';
import { select as selectAmong, type Selected } from '../../selection/select.ts';
import { servicesOf } from '../service-table.ts';
import type { SupervisorState } from '../state.ts';
import { isRunning } from '../../graph/dependency-state.ts';

const among = (
  services: readonly Service[],
  { projects, manifests }: SupervisorState,
  selection: Selection,
): Selected =>
  selectAmong(
    {
      services: services.map(({ spec, revised }) => revised ?? spec),
      projects: Object.values(projects),
      manifests: Object.keys(manifests),
    },
    selection,
  );

/** Returns the services that the selection of a command names; all services if the selection is empty. */
export const select = (state: SupervisorState, selection: Selection): Selected =>
  among(servicesOf(state.roster), state, selection);

/**
 * Returns the selected services that may get a new run. A service whose removal has begun is not selected by
 * name, unless it is in `gone`: the services that this command found to be undeclared.
 */
export const selectStaying = (
  state: SupervisorState,
  selection: Selection,
  gone: ReadonlySet<ServiceId>,
): Selected => {
  const services = servicesOf(state.roster).filter(({ leaving, spec }) => !leaving || gone.has(spec.id));
  const selected = among(services, state, selection);
  return selected.ok ? { ok: true, ids: selected.ids.filter((id) => !gone.has(id)) } : selected;
};

/** True if the service was declared again before its removal was complete, and was meant to run. */
export const isBack = ({ resume, leaving }: Service): boolean => resume && !leaving;

/**
 * True if the service was declared again during its removal and is not running, so that it must be started.
 * One that still runs just continues.
 */
export const isReturning = (service: Service): boolean => isBack(service) && !isRunning(service);

/** True if no command has started or stopped the service yet. */
export const isNew = ({ actual }: Service): boolean => actual.tag === 'down' && actual.why.tag === 'new';

/**
 * True if an apply has to change the service, because it does not run as declared. False for a stopped
 * service: it uses the new declaration at its next start.
 */
export const isNews = (service: Service): boolean =>
  isNew(service) || isReturning(service) || (service.revised !== undefined && service.wanted === 'up');
