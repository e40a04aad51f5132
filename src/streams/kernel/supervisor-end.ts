// Ends the supervisor: when all services have been told to stop and none is left to wait for, it quits. A
// supervisor that was started with manifests also ends by itself (`docs/boot.md`, "In a container"), if an
// essential service has ended for good or its manifests cannot be used. Then all other services are stopped
// in order first.
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

/** Emits the effect `quit`, after the replies, as soon as the last service has stopped during a shutdown. */
export const quitWhenStill = (draft: Draft, phaseBefore: SupervisorState['phase']): void => {
  if (draft.state.phase !== 'closing') return;
  if (phaseBefore === 'closing' && draft.services.size === 0) return;
  if (someHoldUp([...draft.services].map((id) => find(draft, id)))) return;
  if (someHoldUp(servicesOf(draft.state.roster))) return;
  const { verdict } = draft.state;
  draft.effects.push({ type: 'quit', ...(verdict && { verdict }) });
  // A process whose end could not be verified may still change and cause steps; quit only once.
  changeState(draft, { phase: 'closed' });
};

/** Request id of a shutdown by the supervisor itself: no client waits for an answer. */
const OWN_END = requestId(`${UNHEARD}end`);

/** True if the next supervisor must start or continue this service. */
const isWanted = ({ wanted, resume }: Service): boolean => wanted === 'up' || resume;

/**
 * Returns what the program executed next in this process needs to continue a shutdown in progress;
 * `undefined` if there is none.
 */
export const closingOf = ({ phase, requests, roster, verdict }: SupervisorState): Closing | undefined => {
  if (phase === 'running' || phase === 'stop-only') return undefined;
  const byPerson = Object.values(requests).some(
    ({ id, command }) => command.type === 'shutdown' && !isUnheard(id),
  );
  const resume = !byPerson && servicesOf(roster).some(isWanted);
  return { resume, ...(verdict && { verdict }) };
};

/** Continues the shutdown that was in progress before a re-exec; called before any service starts. */
export const goOnClosing = (draft: Draft, { resume, verdict }: Closing): void => {
  if (verdict !== undefined) changeState(draft, { verdict });
  shutDown(draft, OWN_END, resume);
};

/**
 * Returns the status with which the supervisor exits after a failed service: that of the failed process.
 * `undefined` if it exited with 0 because it went into the background, which is no failure status.
 */
const statusOfFailure = (failure: LastFailure | undefined): ExitStatus | undefined =>
  failure?.exit === undefined || isSuccess(failure.exit) ? undefined : failure.exit;

/**
 * Returns the status with which the supervisor exits because of an open breaker. `undefined` if the breaker
 * opened after a clean exit: the status of an earlier run does not count.
 */
const statusOfBroken = (error: ServiceError, failure: LastFailure | undefined): ExitStatus | undefined =>
  error.code === 'ERR0110' && error.last !== undefined && isCleanEnd(error.last)
    ? undefined
    : statusOfFailure(failure);

/**
 * Returns why the supervisor ends if this essential service has ended for good; else `undefined`. After a
 * manual stop, a skip or a failed dependency another run can follow, so none of them is final.
 */
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
 * True while a rollout can still give the service a running process: its candidate may become the current
 * run, or is being stopped. A candidate whose end cannot be verified does not count.
 */
const isInBalance = ({ rollout }: Service): boolean =>
  rollout !== undefined && stepOf(rollout) !== 'retiring' && !isGivenUp(rollout.other);

const isGivenUp = ({ actual }: Run): boolean => actual.tag === 'stopping' && actual.phase === 'unverified';

const ofEssential = (service: Service): Verdict | undefined =>
  service.spec.essential === true && !isInBalance(service) ? verdictOf(service) : undefined;

type Answered = Extract<Effect, { type: 'reply' }>;

/** True for the reply to the start that the supervisor itself requested; no client waits for it. */
const isAnswer = (effect: Effect): effect is Answered =>
  effect.type === 'reply' && effect.request.startsWith(UNHEARD);

/** True if the command itself was refused; false if it was carried out and only services failed. */
const isRefusal = ({ reply }: Answered): boolean =>
  !reply.ok && reply.error.code !== 'ERR0106' && !isOfService(reply.error.code);

/**
 * Returns why the supervisor ends after this step; `undefined` if it does not. If a start was answered in
 * this step, all services of its manifest are checked, because one that had ended before this supervisor
 * began causes no state change.
 */
const endIn = (draft: Draft): Verdict | undefined => {
  const answers = draft.effects.filter(isAnswer);
  if (answers.some(isRefusal)) return { tag: 'refused' };
  const given = new Set(answers.map(({ request }) => request.slice(UNHEARD.length)));
  const about =
    given.size === 0 ? [] : servicesOf(draft.state.roster).filter(({ spec }) => given.has(spec.manifest));
  // Services with a changed rollout count too. Each is looked up again: a rollout that ended may have left no
  // run, or another one may have begun in the same step.
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

/**
 * Ends the supervisor if an essential service has ended for good or the start was refused. Returns true if
 * the shutdown began in this step; then its state changes must still be propagated.
 */
export const heedEssential = (draft: Draft): boolean => {
  if (draft.state.bound !== true || draft.state.phase !== 'running') return false;
  const verdict = endIn(draft);
  if (verdict === undefined) return false;
  draft.effects.push({ type: 'note', level: levelOf(verdict), text: textOf(verdict) });
  changeState(draft, { verdict });
  shutDown(draft, OWN_END, true);
  return true;
};
