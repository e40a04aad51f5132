// The end of the supervisor: everything was told to stop, and nothing blocks it any more.
// Rules: `docs/behaviour.md`, "One supervisor".
import { blocksStop } from '../graph/standing.ts';
import type { Closing } from '../domain/effect.ts';
import type { Service } from '../domain/service/service.ts';
import { requestId, UNHEARD } from '../domain/ids.ts';
import { changeState, find, type Draft } from './draft.ts';
import { isUnheard } from './requests/request.ts';
import { shutDown } from './requests/stop.ts';
import { servicesOf } from './roster.ts';
import type { SupervisorState } from './state.ts';

const someHoldUp = (services: readonly (Service | undefined)[]): boolean =>
  services.some((service) => service !== undefined && blocksStop(service));

/** Emits `quit` after the replies, in the step in which the last service came to rest while closing. */
export const quitWhenStill = (draft: Draft, phaseBefore: SupervisorState['phase']): void => {
  if (draft.state.phase !== 'closing') return;
  if (phaseBefore === 'closing' && draft.services.size === 0) return;
  if (someHoldUp([...draft.services].map((id) => find(draft, id)))) return;
  if (someHoldUp(servicesOf(draft.state.roster))) return;
  const { verdict } = draft.state;
  draft.effects.push({ type: 'quit', ...(verdict && { verdict }) });
  // A process that could not be verified to have ended may still change; quit only once.
  changeState(draft, { phase: 'closed' });
};

/** A shutdown by the supervisor itself: no client waits for an answer. */
export const OWN_END = requestId(`${UNHEARD}end`);

/** True if the next supervisor must continue this service. */
const isWanted = ({ wanted, resume }: Service): boolean => wanted === 'up' || resume;

/**
 * What the next program in this process must know of a shutdown in progress; `undefined` if there is none.
 */
export const closingOf = ({ phase, requests, roster, verdict }: SupervisorState): Closing | undefined => {
  if (phase === 'running' || phase === 'stop-only') return undefined;
  const byPerson = Object.values(requests).some(
    ({ id, command }) => command.type === 'shutdown' && !isUnheard(id),
  );
  const resume = !byPerson && servicesOf(roster).some(isWanted);
  return { resume, ...(verdict && { verdict }) };
};

/** Continues the shutdown before any service starts. */
export const goOnClosing = (draft: Draft, { resume, verdict }: Closing): void => {
  if (verdict !== undefined) changeState(draft, { verdict });
  shutDown(draft, OWN_END, resume);
};
