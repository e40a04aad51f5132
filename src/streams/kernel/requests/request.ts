// A request: one command of one client, until it is answered.
//
// The words for its life, in order:
// - *received*, or *refused* if it cannot be carried out at all.
// - *loading*: its manifests are read, if it is about declarations.
// - *targets*: the services that it is about. It *awaits* each and *hears* of their changes.
// - *verdict*: a target is pending, reached what the command wants, or failed. Then it is *decided*.
// - *turn*: a restart takes its targets one at a time. One that must stop before its turn is *withdrawn*.
// - *answered*: all targets are decided. *Expired*: the request took too long.
import type { Command } from '../../domain/command.ts';
import type { SupError } from '../../domain/errors/error.ts';
import type { Readings } from '../../domain/declared/manifest.ts';
import { requestId, shownId, UNHEARD, type RequestId, type ServiceId } from '../../domain/ids.ts';
import type { ChangedKey } from '../../domain/apply-plan.ts';
import type { Tag } from '../../domain/service/service.ts';
import type { Instant } from '../../domain/time.ts';

/** What a service was like when a command came, to find the command's outcome later. */
export interface Before {
  readonly tag: Tag;
  readonly runs: number;
  /**
   * Begin of the last rollout (`rolled`) and scheduled run (`ran`) that had ended before the command, to know
   * them as older even if the clock was set back.
   */
  readonly rolled?: Instant;
  readonly ran?: Instant;
  /** When the target last failed before the command. */
  readonly failed?: Instant;
  /** Begin of the rollout that the command cancelled; the end of that rollout decides the verdict. */
  readonly takenBack?: Instant;
  /** Changed manifest keys that the command applied to the current run. */
  readonly live?: readonly string[];
}

export interface Request {
  readonly id: RequestId;
  readonly command: Command;
  /** The program that asked; absent for the command line. */
  readonly origin?: string;
  readonly since: Instant;
  /** When the request is answered at the latest: a start as a whole, a restart for each turn. */
  readonly deadline?: Instant;
  /** `loading`: reads manifests. `tracing`: identifies the client. `awaiting`: waits for targets. */
  readonly phase: 'loading' | 'tracing' | 'awaiting';
  readonly paths: readonly string[];
  /** How these manifests are read; absent: as they are registered. */
  readonly readings?: Readings;
  readonly targets: readonly ServiceId[];
  /** Targets of a start that no selected service requires: if one fails, the reply has a warning. */
  readonly optional?: readonly ServiceId[];
  /** The record of each target from the moment when the command came. */
  readonly before: Readonly<Record<ServiceId, Before>>;
  /** Number of targets that have neither reached the state that the command wants nor failed. */
  readonly undecided: number;
  readonly failures: readonly SupError[];
  readonly warnings: readonly string[];
  /** The keys `status` and `metrics` that the command has changed. */
  readonly tables?: readonly ChangedKey[];
  /** Targets of a restart, apply or rollback that have not had their turn yet. */
  readonly queue: readonly ServiceId[];
  /** The service in turn: a restart, apply or rollback changes one service at a time. */
  readonly turn?: ServiceId;
}

/** Returns a request id for a signal that no unanswered request has. */
export const signalRequest = (
  signal: string,
  unanswered: Readonly<Record<RequestId, unknown>> = {},
): RequestId => {
  const first = requestId(`signal:${signal}`);
  let id = first;
  // A loop: recursion over many unanswered requests would overflow the stack.
  for (let number = 2; Object.hasOwn(unanswered, id); number += 1) id = requestId(`${first}:${number}`);
  return id;
};

/** True if no client reads the answer: the supervisor itself or a signal made the request. */
export const isUnheard = (id: RequestId): boolean => id.startsWith('signal:') || id.startsWith(UNHEARD);

/** Returns the part of an order that says where it comes from. */
export const orderOf = ({ origin }: Pick<Request, 'origin'> = {}): { readonly by?: string } =>
  origin === undefined ? {} : { by: origin };

/** Returns a new request without targets. */
export const received = (id: RequestId, command: Command, since: Instant): Request => ({
  id,
  command,
  since,
  phase: 'awaiting',
  paths: [],
  targets: [],
  before: {},
  undecided: 0,
  failures: [],
  warnings: [],
  queue: [],
});

/** Returns the request with the failure of a target: a warning in place of the target if it is optional. */
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
