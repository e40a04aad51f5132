// Sends the reply to a command. A failed start with one cause replies with the error of this cause; the
// errors of services that only lack a dependency (ERR0109) do not count. A failed restart, apply or rollback
// lists its failures in ERR0302, even a single failure.
// Rules: `docs/behaviour.md`, "Starting"; `docs/behaviour.md`, "Restart by hand", "restart".
import type { Command, Reply } from '../../../domain/command.ts';
import type { SupError } from '../../../domain/errors/error.ts';
import type { ChildBegun } from '../../../domain/service/child.ts';
import { type ServiceId, shownId } from '../../../domain/ids.ts';
import type { Service } from '../../../domain/service/service.ts';
import { means } from '../../../selection/match.ts';
import type { Plan } from '../../../domain/apply-plan.ts';
import { dropRequest, find, type Draft } from '../../draft.ts';
import { outcomeOf } from './reply-outcomes.ts';
import { failedMeanwhile } from './target-outcome.ts';
import { hasNoClient, type Request } from '../request.ts';

/**
 * Returns the request after a target failed. If the target is optional, it is removed, and the failure is
 * only a warning.
 */
export const withFailure = (request: Request, service: ServiceId, error: SupError): Request => {
  const { optional = [], targets, failures, warnings } = request;
  if (!optional.includes(service)) return { ...request, failures: [...failures, error] };
  const name = shownId(service);
  const warning = `${name} did not come up (${error.code}), and nothing that was started requires it; to see why: sup why ${name}`;
  return {
    ...request,
    targets: targets.filter((other) => other !== service),
    warnings: [...warnings, warning],
  };
};

const startError = (failures: readonly SupError[], total: number): SupError => {
  const own = failures.filter(({ code }) => code !== 'ERR0109');
  const [only] = own.length > 0 ? own : failures;
  const one = own.length === 1 || (own.length === 0 && failures.length === 1);
  return one && only !== undefined ? only : { code: 'ERR0106', failures, total };
};

const IN_TURN: ReadonlySet<Command['type']> = new Set(['restart', 'apply', 'rollback']);

const errorOf = ({ command, failures, targets }: Request): SupError => {
  const [only] = failures;
  if (command.type === 'start') return startError(failures, targets.length);
  if (!IN_TURN.has(command.type) && failures.length === 1 && only) return only;
  return { code: 'ERR0302', failures };
};

const failedReply = ({ warnings }: Request, error: SupError): Reply => ({
  ok: false,
  error,
  ...(warnings.length > 0 && { warnings }),
});

const replyOf = (draft: Draft, decided: Request): Reply => {
  const request = failedMeanwhile(draft, decided).reduce(
    (earlier, error) => withFailure(earlier, error.service, error),
    decided,
  );
  const { failures, tables, targets, warnings } = request;
  if (failures.length > 0) return failedReply(request, errorOf(request));
  return {
    ok: true,
    done: {
      outcomes: targets.map((id) => outcomeOf(request, id, find(draft, id))),
      warnings,
      ...(tables && { tables }),
    },
  };
};

/** Logs the warnings and failures of a reply that no client reads. */
const noteWithoutClient = (draft: Draft, { id, warnings }: Request, reply: Reply): void => {
  if (!hasNoClient(id)) return;
  for (const text of warnings) draft.effects.push({ type: 'note', level: 'warn', text });
  if (reply.ok) return;
  draft.effects.push({ type: 'note', level: 'error', facts: { tag: 'command-failed', error: reply.error } });
};

const reply = (draft: Draft, request: Request, outcome: Reply): void => {
  const { command, origin } = request;
  const asked = origin === undefined ? {} : { asked: { command, origin } };
  draft.effects.push({ type: 'reply', request: request.id, reply: outcome, ...asked });
  noteWithoutClient(draft, request, outcome);
  dropRequest(draft, request.id);
};

/** Replies with the plan of an apply and the warnings. */
export const tellPlan = (draft: Draft, request: Request, plan: Plan): void =>
  reply(draft, request, {
    ok: true,
    done: { outcomes: [], warnings: request.warnings, plan },
  });

/** Replies to the client that requested a child: the child was started. */
export const tellChild = (draft: Draft, request: Request, child: ChildBegun): void =>
  reply(draft, request, { ok: true, done: { outcomes: [], warnings: [], child } });

/** Answers a request if all its services have reached the wanted state or failed, or if its time is over. */
export const answer = (draft: Draft, request: Request): void =>
  reply(draft, request, replyOf(draft, request));

/**
 * Returns ERR0241 if the command concerns a service that is not among those that the client may change
 * (`within`).
 */
export const beyondLimits = (command: Command, services: readonly Service[]): SupError | undefined => {
  const within = 'within' in command ? command.within : undefined;
  if (within === undefined) return undefined;
  const outside = services.filter(({ spec }) => !within.some((written) => means(written, spec)));
  if (outside.length === 0) return undefined;
  return { code: 'ERR0241', change: command.type, services: outside.map(({ spec }) => shownId(spec.id)) };
};

/** Replies with an error: the command cannot be carried out at all. */
export const refuse = (draft: Draft, request: Request, error: SupError): void =>
  reply(draft, request, failedReply(request, error));
