// Finds the services that a command selects, and whether an apply has to change them.
// Rules: `docs/behaviour.md`, "Restart by hand", "apply", "Dependents"; `docs/behaviour.md`, "Restart by
// hand".
import type { Command, Selection } from '../../domain/command.ts';
import type { ServiceId } from '../../domain/ids.ts';
import type { Service } from '../../domain/service/service.ts';
import { profiledIn, select as selectAmong, type Selected } from '../../selection/select.ts';
import type { Draft } from '../draft.ts';
import { servicesOf } from '../service-table.ts';
import type { SupervisorState } from '../state.ts';
import { isRunning } from '../../graph/dependency-state.ts';
import { dependentsOf } from '../../graph/graph.ts';

const among = (services: readonly Service[], state: SupervisorState, selection: Selection): Selected =>
  selectAmong(
    {
      services: services.map(({ spec, revised }) => revised ?? spec),
      projects: Object.values(state.projects),
      manifests: Object.keys(state.manifests),
      profiled: () =>
        Object.entries(state.profiles ?? {}).flatMap(([path, profiles]) => {
          const reading = state.readings?.[path];
          return profiledIn({ path, profiles, ...(reading && { reading }) });
        }),
    },
    selection,
  );

/** Returns the services that a selection names; all services if it is empty. */
export const select = (state: SupervisorState, selection: Selection): Selected =>
  among(servicesOf(state.serviceTable), state, selection);

/**
 * Returns the selected services that may get a new run. A service in `gone` is being removed: the user may
 * name it without an error, but it is not returned.
 */
export const selectStaying = (
  state: SupervisorState,
  selection: Selection,
  gone: ReadonlySet<ServiceId>,
): Selected => {
  const services = servicesOf(state.serviceTable).filter(
    ({ leaving, spec }) => !leaving || gone.has(spec.id),
  );
  const selected = among(services, state, selection);
  return selected.ok ? { ok: true, ids: selected.ids.filter((id) => !gone.has(id)) } : selected;
};

/** Returns the selected services, and their dependents for `sup restart --with-dependents`. */
export const withDependents = (
  { state: { graph } }: Draft,
  command: Command,
  ids: readonly ServiceId[],
): readonly ServiceId[] =>
  command.type === 'restart' && command.withDependents === true
    ? [...new Set([...ids, ...ids.flatMap((id) => dependentsOf(graph, id))])]
    : ids;

/** True if the service was meant to run and is no longer being removed, because it was declared again. */
export const isBack = ({ resume, leaving }: Service): boolean => resume && !leaving;

/** True if the service was declared again during its removal and must be started. */
export const isReturning = (service: Service): boolean => isBack(service) && !isRunning(service);

/** True if no command has started or stopped the service yet. */
export const isNew = ({ actual }: Service): boolean => actual.tag === 'down' && actual.why.tag === 'new';

/** True if an apply has to change the service. A stopped service changes at its next start instead. */
export const isNews = (service: Service): boolean =>
  isNew(service) || isReturning(service) || (service.revised !== undefined && service.wanted === 'up');
