// Which of the supervisor's services a command means.
import type { Selection } from '../../domain/command.ts';
import { select as selectAmong, type Selected } from '../../selection/select.ts';
import { servicesOf } from '../roster.ts';
import type { SupervisorState } from '../state.ts';

/** The services that a selection names. Nothing named: all. */
export const select = (state: SupervisorState, selection: Selection): Selected =>
  selectAmong(
    {
      services: servicesOf(state.roster).map(({ spec, revised }) => revised ?? spec),
      projects: Object.values(state.projects),
      manifests: Object.keys(state.manifests),
    },
    selection,
  );
