// The end of the supervisor (`shutdown`, SIGTERM): stops all services, then ends the supervisor. A supervisor
// started with manifests also ends by itself if an essential service ended for good or its manifests cannot
// be used (`docs/boot.md`, "In a container").
// Rules: `docs/behaviour.md`, "One supervisor".
import type { Closing, Effect, EndReason } from '../domain/effect.ts';
import { isCleanEnd, isOfService, type ServiceError } from '../domain/errors/error.ts';
import { requestId, shownId, NO_CLIENT } from '../domain/ids.ts';
import { type ExitStatus, isSuccess } from '../domain/service/exit-status.ts';
import type { LastFailure, Run } from '../domain/service/service-run.ts';
import type { Service, Tag } from '../domain/service/service.ts';
import { blocksStop } from '../graph/dependency-state.ts';
import { isMove } from './after-step/state-change.ts';
import { changeState, type Draft, find, put, revisit } from './draft.ts';
import { hasNoClient, orderOf, received, type Request } from './requests/request.ts';
import { withdraw } from './requests/restart-in-turn.ts';
import { aim, awaitTargets } from './requests/set-targets.ts';
import { isMissed } from './rules/remove-undeclared.ts';
import { send } from './send.ts';
import { servicesOf } from './service-table.ts';
import type { SupervisorState } from './state.ts';
import { stepOf } from '../rollout/rollout-input.ts';

/**
 * States that a shutdown does not change: they have no process, and the next supervisor continues from them.
 */
const RESTING: ReadonlySet<Tag> = new Set(['down', 'broken', 'backing-off', 'casualty']);

/** True if a service without a current run still has other processes to stop. */
const hasParts = ({ rollout, children = [], remnants = [] }: Service): boolean =>
  rollout !== undefined || children.length > 0 || remnants.length > 0;

/**
 * Stops the processes that do not belong to the current run, such as children. The state of the service does
 * not change.
 */
const endParts = (draft: Draft, service: Service): void => {
  put(draft, { ...service, wanted: 'down', resume: isMissed(service) });
  revisit(draft, service.spec.id);
};

/**
 * Stops all services, then the supervisor. `resume`: the next supervisor starts the services that were meant
 * to run.
 */
export const shutDown = (draft: Draft, asked: Pick<Request, 'id' | 'origin'>, resume: boolean): void => {
  withdraw(
    draft,
    servicesOf(draft.state.serviceTable).map(({ spec }) => spec.id),
  );
  const all = servicesOf(draft.state.serviceTable);
  const rests = ({ actual }: Service): boolean => resume && RESTING.has(actual.tag);
  const services = all.filter((service) => !rests(service));
  if (draft.state.phase !== 'closed') changeState(draft, { phase: 'closing' });
  const targets = services.map(({ spec }) => spec.id);
  const aimed = aim(draft, { ...received(asked.id, { type: 'shutdown' }, draft.at), ...asked }, targets);
  for (const service of services) put(draft, { ...service, resume: resume && isMissed(service) });
  targets.forEach((target) => send(draft, target, { type: 'stop', ...orderOf(asked) }));
  all.filter((service) => rests(service) && hasParts(service)).forEach((service) => endParts(draft, service));
  awaitTargets(draft, aimed);
};

const someHoldUp = (services: readonly (Service | undefined)[]): boolean =>
  services.some((service) => service !== undefined && blocksStop(service));

/** Emits `quit`, after the replies, when the last service has stopped during a shutdown. */
export const quitWhenStill = (draft: Draft, phaseBefore: SupervisorState['phase']): void => {
  if (draft.state.phase !== 'closing') return;
  if (phaseBefore === 'closing' && draft.services.size === 0) return;
  if (someHoldUp([...draft.services].map((id) => find(draft, id)))) return;
  if (someHoldUp(servicesOf(draft.state.serviceTable))) return;
  const { endReason } = draft.state;
  draft.effects.push({ type: 'quit', ...(endReason && { endReason }) });
  // The phase `closed` makes sure that `quit` is emitted only once. Processes that survived SIGKILL may still
  // cause steps.
  changeState(draft, { phase: 'closed' });
};

const OWN_END = requestId(`${NO_CLIENT}end`);

/** True if the next supervisor must start or continue this service. */
const isWanted = ({ wanted, resume }: Service): boolean => wanted === 'up' || resume;

/**
 * Returns the facts with which the new program continues a shutdown after a re-exec; `undefined` if no
 * shutdown is in progress.
 */
export const closingOf = ({
  phase,
  requests,
  serviceTable,
  endReason,
}: SupervisorState): Closing | undefined => {
  if (phase === 'running' || phase === 'stop-only') return undefined;
  const byPerson = Object.values(requests).some(
    ({ id, command }) => command.type === 'shutdown' && !hasNoClient(id),
  );
  const resume = !byPerson && servicesOf(serviceTable).some(isWanted);
  return { resume, ...(endReason && { verdict: endReason }) };
};

/** Continues a shutdown that began before a re-exec. It is called before any service starts. */
export const continueClosing = (draft: Draft, { resume, verdict: endReason }: Closing): void => {
  if (endReason !== undefined) changeState(draft, { endReason });
  shutDown(draft, { id: OWN_END }, resume);
};

/**
 * Returns the exit status of the supervisor after a service failed: the exit status of the service;
 * `undefined` if this is a success, or if there was no process.
 */
const statusOfFailure = (failure: LastFailure | undefined): ExitStatus | undefined =>
  failure?.exit === undefined || isSuccess(failure.exit) ? undefined : failure.exit;

/**
 * Returns the exit status of the supervisor after a breaker opened; `undefined` if a clean exit opened the
 * breaker.
 */
const statusOfBroken = (error: ServiceError, failure: LastFailure | undefined): ExitStatus | undefined =>
  error.code === 'ERR0110' && error.last !== undefined && isCleanEnd(error.last)
    ? undefined
    : statusOfFailure(failure);

/**
 * Returns why the supervisor ends if this essential service ended for good. A stop, skip or failed dependency
 * is not final, because another run can follow.
 */
const endReasonOf = ({ spec: { id }, actual, lastFailure }: Service): EndReason | undefined => {
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

/** True while a rollout may still give the service a process, or still stops its new run. */
const isInBalance = ({ rollout }: Service): boolean =>
  rollout !== undefined && stepOf(rollout) !== 'retiring' && !isGivenUp(rollout.other);

const isGivenUp = ({ actual }: Run): boolean => actual.tag === 'stopping' && actual.phase === 'unverified';

const ofEssential = (service: Service): EndReason | undefined =>
  service.spec.essential === true && !isInBalance(service) ? endReasonOf(service) : undefined;

type Answered = Extract<Effect, { type: 'reply' }>;

/** True for the reply to a start that the supervisor itself requested. */
const isAnswer = (effect: Effect): effect is Answered =>
  effect.type === 'reply' && effect.request.startsWith(NO_CLIENT);

/** True if the command was refused as a whole; false if only services failed. */
const isRefusal = ({ reply }: Answered): boolean =>
  !reply.ok && reply.error.code !== 'ERR0106' && !isOfService(reply.error.code);

/**
 * Returns why the supervisor ends after this step, if it does. After the start of a manifest, all services of
 * the manifest are checked, because a service that had already ended causes no state change.
 */
const endIn = (draft: Draft): EndReason | undefined => {
  const answers = draft.effects.filter(isAnswer);
  if (answers.some(isRefusal)) return { tag: 'refused' };
  const given = new Set(answers.map(({ request }) => request.slice(NO_CLIENT.length)));
  const about =
    given.size === 0
      ? []
      : servicesOf(draft.state.serviceTable).filter(({ spec }) => given.has(spec.manifest));
  // The services are looked up in the draft, because a rollout may have begun or ended after the recorded
  // change.
  const moved = new Set([...draft.moves.filter(isMove), ...draft.rollouts].map(({ after }) => after.spec.id));
  const looked = [...about, ...[...moved].flatMap((id) => find(draft, id) ?? [])];
  return looked.map(ofEssential).find((endReason) => endReason !== undefined);
};

const textOf = (endReason: EndReason): string =>
  endReason.tag === 'refused'
    ? 'the supervisor ends: what it was given cannot be started'
    : `the supervisor ends: ${shownId(endReason.service)} is essential, and has ended for good`;

const levelOf = (endReason: EndReason): 'info' | 'error' =>
  endReason.tag === 'ended' && endReason.exit !== undefined && isSuccess(endReason.exit) ? 'info' : 'error';

/**
 * Ends the supervisor if an essential service ended for good or a start was refused. Returns true if the
 * shutdown began in this step and must still be propagated.
 */
export const heedEssential = (draft: Draft): boolean => {
  if (draft.state.bound !== true || draft.state.phase !== 'running') return false;
  const endReason = endIn(draft);
  if (endReason === undefined) return false;
  draft.effects.push({ type: 'note', level: levelOf(endReason), text: textOf(endReason) });
  changeState(draft, { endReason });
  shutDown(draft, { id: OWN_END }, true);
  return true;
};
