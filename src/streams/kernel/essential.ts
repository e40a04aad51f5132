// When a supervisor that was given its manifests ends by itself (`docs/boot.md`, "In a container"): an essential service
// has ended for good, or what it was given cannot be used. Everything else is stopped in order then.
import type { Effect } from '../domain/effect.ts';
import type { Verdict } from '../domain/end.ts';
import { isCleanEnd } from '../domain/errors/clean-end.ts';
import { isOfService, type ServiceError } from '../domain/errors/error.ts';
import { shownId, UNHEARD } from '../domain/ids.ts';
import { isSuccess, type ExitStatus } from '../domain/service/exit.ts';
import type { LastFailure, Service } from '../domain/service/service.ts';
import { stepOf } from '../rollout/input.ts';
import { OWN_END } from './closing.ts';
import { isMove } from './derived/move.ts';
import { find, type Draft } from './draft.ts';
import { shutDown } from './requests/stop.ts';
import { servicesOf } from './roster.ts';

/** Who failed although the process ended with 0 (it went into the background) has no status to hand on. */
const statusOfFailure = (failure: LastFailure | undefined): ExitStatus | undefined =>
  failure?.exit === undefined || isSuccess(failure.exit) ? undefined : failure.exit;

/** A breaker that opened after a clean end is a failure without a status: that of an earlier run is not its last. */
const statusOfBroken = (error: ServiceError, failure: LastFailure | undefined): ExitStatus | undefined =>
  error.code === 'ERR0110' && error.last !== undefined && isCleanEnd(error.last)
    ? undefined
    : statusOfFailure(failure);

/** A stop by hand, a skip and a fall are no ends for good: each can be followed by another run. */
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
 * Its candidate may yet be the service, or is being brought to its end: what has become of both is known then. Of one that
 * cannot be verified to have ended nothing more is known.
 */
const isInBalance = ({ rollout }: Service): boolean =>
  rollout !== undefined && stepOf(rollout) !== 'retiring' && !isGivenUp(rollout.other);

const isGivenUp = ({ actual }: Service): boolean =>
  actual.tag === 'stopping' && actual.phase === 'unverified';

const ofEssential = (service: Service): Verdict | undefined =>
  service.spec.essential === true && !isInBalance(service) ? verdictOf(service) : undefined;

type Answered = Extract<Effect, { type: 'reply' }>;

/** The answer to a start that came with the supervisor itself. */
const isAnswer = (effect: Effect): effect is Answered =>
  effect.type === 'reply' && effect.request.startsWith(UNHEARD);

/** It was carried out when services are to blame: they are where they are. */
const isRefusal = ({ reply }: Answered): boolean =>
  !reply.ok && reply.error.code !== 'ERR0106' && !isOfService(reply.error.code);

/** With an answer everybody it was about is looked at: who ended before this supervisor began does not move any more. */
const endIn = (draft: Draft): Verdict | undefined => {
  const answers = draft.effects.filter(isAnswer);
  if (answers.some(isRefusal)) return { tag: 'refused' };
  const given = new Set(answers.map(({ request }) => request.slice(UNHEARD.length)));
  const about =
    given.size === 0 ? [] : servicesOf(draft.state.roster).filter(({ spec }) => given.has(spec.manifest));
  // A rollout that is over may have left nobody; one may have made way for another in the same step.
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

/** Whether the end has begun with this step; then there is more to settle. */
export const heedEssential = (draft: Draft): boolean => {
  if (draft.state.bound !== true || draft.state.phase !== 'running') return false;
  const verdict = endIn(draft);
  if (verdict === undefined) return false;
  draft.effects.push({ type: 'note', level: levelOf(verdict), text: textOf(verdict) });
  draft.state = { ...draft.state, verdict };
  shutDown(draft, OWN_END, true);
  return true;
};
