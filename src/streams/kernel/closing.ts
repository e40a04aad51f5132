// The end of the supervisor: everything was told to stop, and nothing blocks it any more. A supervisor with
// given manifests also ends by itself (`docs/boot.md`, "In a container"): an essential service has ended for
// good, or what it was given cannot be used. Then everything else is stopped in order.
// Rules: `docs/behaviour.md`, "One supervisor".
import type { Closing, Effect, Verdict } from '../domain/effect.ts';
import { isCleanEnd, isOfService, type ServiceError } from '../domain/errors/error.ts';
import { requestId, shownId, UNHEARD } from '../domain/ids.ts';
import { type ExitStatus, isSuccess } from '../domain/service/exit.ts';
import type { LastFailure, Run } from '../domain/service/service-run.ts';
import type { Service } from '../domain/service/service.ts';
import { blocksStop } from '../graph/dependency-state.ts';
import { isMove } from './derived/service-move.ts';
import { changeState, type Draft, find } from './draft.ts';
import { isUnheard } from './requests/request.ts';
import { shutDown } from './requests/stop-services.ts';
import { servicesOf } from './service-table.ts';
import type { SupervisorState } from './state.ts';
import { stepOf } from '../rollout/rollout-input.ts';

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
const OWN_END = requestId(`${UNHEARD}end`);

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

/**
 * `undefined` for a failure with exit 0 (the process went into the background): there is no status to pass
 * on.
 */
const statusOfFailure = (failure: LastFailure | undefined): ExitStatus | undefined =>
  failure?.exit === undefined || isSuccess(failure.exit) ? undefined : failure.exit;

/** `undefined` if the breaker opened after a clean exit: the status of an earlier run does not count. */
const statusOfBroken = (error: ServiceError, failure: LastFailure | undefined): ExitStatus | undefined =>
  error.code === 'ERR0110' && error.last !== undefined && isCleanEnd(error.last)
    ? undefined
    : statusOfFailure(failure);

/** A manual stop, a skip and a casualty are not final: each can be followed by another run. */
const verdictOf = ({ spec: { id }, actual, lastFailure }: Service): Verdict | undefined => {
  if (actual.tag === 'broken')
    return { tag: 'ended', service: id, exit: statusOfBroken(actual.error, lastFailure) };
  if (actual.tag !== 'down') return undefined;
  switch (actual.why.tag) {
    case 'completed':
    case 'ended':
      return { tag: 'ended', service: id, exit: { tag: 'code', code: 0 } };
    case 'failed':
      return { tag: 'ended', service: id, exit: statusOfFailure(lastFailure) };
    default:
      return undefined;
  }
};

/**
 * True while a rollout can still change the outcome: its candidate may become the service, or is being ended.
 * A candidate that cannot be verified to have ended counts no longer.
 */
const isInBalance = ({ rollout }: Service): boolean =>
  rollout !== undefined && stepOf(rollout) !== 'retiring' && !isGivenUp(rollout.other);

const isGivenUp = ({ actual }: Run): boolean => actual.tag === 'stopping' && actual.phase === 'unverified';

const ofEssential = (service: Service): Verdict | undefined =>
  service.spec.essential === true && !isInBalance(service) ? verdictOf(service) : undefined;

type Answered = Extract<Effect, { type: 'reply' }>;

/** True for the answer to a start that came with the supervisor itself. */
const isAnswer = (effect: Effect): effect is Answered =>
  effect.type === 'reply' && effect.request.startsWith(UNHEARD);

/** False if only services failed: the command itself was carried out. */
const isRefusal = ({ reply }: Answered): boolean =>
  !reply.ok && reply.error.code !== 'ERR0106' && !isOfService(reply.error.code);

/**
 * With an answer all its services are checked, since one that ended before this supervisor began moves no
 * more.
 */
const endIn = (draft: Draft): Verdict | undefined => {
  const answers = draft.effects.filter(isAnswer);
  if (answers.some(isRefusal)) return { tag: 'refused' };
  const given = new Set(answers.map(({ request }) => request.slice(UNHEARD.length)));
  const about =
    given.size === 0 ? [] : servicesOf(draft.state.roster).filter(({ spec }) => given.has(spec.manifest));
  // A rollout that ended may have left no run, or made way for another in the same step.
  const moved = new Set([...draft.moves.filter(isMove), ...draft.rollouts].map(({ after }) => after.spec.id));
  const looked = [...about, ...[...moved].flatMap((id) => find(draft, id) ?? [])];
  return looked.map(ofEssential).find((verdict) => verdict !== undefined);
};

const textOf = (verdict: Verdict): string =>
  verdict.tag === 'refused'
    ? 'the supervisor ends: what it was given cannot be started'
    : `the supervisor ends: ${shownId(verdict.service)} is essential, and has ended for good`;

const levelOf = (verdict: Verdict): 'info' | 'error' =>
  verdict.tag === 'ended' && verdict.exit !== undefined && isSuccess(verdict.exit) ? 'info' : 'error';

/** True if this step begins the end of the supervisor; then there is more to propagate. */
export const heedEssential = (draft: Draft): boolean => {
  if (draft.state.bound !== true || draft.state.phase !== 'running') return false;
  const verdict = endIn(draft);
  if (verdict === undefined) return false;
  draft.effects.push({ type: 'note', level: levelOf(verdict), text: textOf(verdict) });
  changeState(draft, { verdict });
  shutDown(draft, OWN_END, true);
  return true;
};
