// The end of the supervisor: everything was asked to stop, and nothing holds it up any more.
import { holdsUp } from '../graph/standing.ts';
import type { Service } from '../domain/service/service.ts';
import { find, type Draft } from './draft.ts';
import { servicesOf } from './roster.ts';
import type { SupervisorState } from './state.ts';

const someHoldUp = (services: readonly (Service | undefined)[]): boolean =>
  services.some((service) => service !== undefined && holdsUp(service));

/** The step in which the last service came to rest while closing ends the supervisor, after its replies. */
export const quitWhenStill = (draft: Draft, phaseBefore: SupervisorState['phase']): void => {
  if (draft.state.phase !== 'closing') return;
  if (phaseBefore === 'closing' && draft.services.size === 0) return;
  if (someHoldUp([...draft.services].map((id) => find(draft, id)))) return;
  if (someHoldUp(servicesOf(draft.state.roster))) return;
  const { verdict } = draft.state;
  draft.effects.push({ type: 'quit', ...(verdict && { verdict }) });
  // Who could not be verified to have ended may move on: the end is told once.
  draft.state = { ...draft.state, phase: 'closed' };
};
