// A request: one command of one client, until it is answered. The words in italics are used in the code.
//
// - A request is *received*. It is *refused* if the command cannot be carried out at all.
// - *loading*: the manifests are read, if the command is about declarations.
// - *targets*: the services that the command is about. The request *awaits* each target: it is notified of
//   each change.
// - A target is *decided* when it has reached the state that the command wants, or has failed. Until then it
//   is pending.
// - *turn*: a restart changes its targets one at a time. A target that another command stops before its turn
//   is *withdrawn*.
// - A request is *answered* when all targets are decided. It *expires* if that takes too long.
import type { Command } from '../../domain/command.ts';
import type { SupError } from '../../domain/errors/error.ts';
import type { Readings } from '../../domain/declared/manifest.ts';
import { requestId, NO_CLIENT, type RequestId, type ServiceId } from '../../domain/ids.ts';
import type { ChangedKey } from '../../domain/apply-plan.ts';
import type { Tag } from '../../domain/service/service.ts';
import type { Instant } from '../../domain/time.ts';

/**
 * A service at the moment when a command arrived. The outcome of the command is computed by comparing this
 * state with the later one.
 */
export interface Before {
  readonly tag: Tag;
  readonly runs: number;
  /**
   * The begin of the last rollout (`rolled`) and of the last scheduled run (`ran`) that had ended before the
   * command. They identify this rollout and run. Their times are not compared with others, because that would
   * be wrong after the clock was set back.
   */
  readonly rolled?: Instant;
  readonly ran?: Instant;
  /** When the service last failed before the command. */
  readonly failed?: Instant;
  /** The begin of the rollout that the command cancelled. The command waits for the end of that rollout. */
  readonly takenBack?: Instant;
  /** Changed manifest keys that the command applied to the current run. */
  readonly live?: readonly string[];
}

export interface Request {
  readonly id: RequestId;
  readonly command: Command;
  /** The program that sent the command; absent for the command line. */
  readonly origin?: string;
  readonly since: Instant;
  /**
   * The time at which a start fails if it is still undecided (ERR0107). In a restart, each turn has its own
   * deadline.
   */
  readonly deadline?: Instant;
  /** `loading`: reads manifests. `tracing`: identifies the client. `awaiting`: waits for targets. */
  readonly phase: 'loading' | 'tracing' | 'awaiting';
  readonly paths: readonly string[];
  /** How the manifests in `paths` are read; absent: as they are registered. */
  readonly readings?: Readings;
  readonly targets: readonly ServiceId[];
  /** Targets of a start that no selected service requires: if one fails, the reply has a warning. */
  readonly optional?: readonly ServiceId[];
  /** Each target at the moment when the command arrived. */
  readonly before: Readonly<Record<ServiceId, Before>>;
  /** The number of targets that have neither reached the state that the command wants nor failed. */
  readonly undecided: number;
  readonly failures: readonly SupError[];
  readonly warnings: readonly string[];
  /** Which of the keys `status` and `metrics` of a project the command has changed. */
  readonly tables?: readonly ChangedKey[];
  /** Targets of a restart, apply or rollback that have not had their turn yet. */
  readonly queue: readonly ServiceId[];
  /** The service in turn: a restart, apply or rollback changes one service at a time. */
  readonly turn?: ServiceId;
}

/** Returns a request id for a signal; it differs from the ids of all unanswered requests. */
export const signalRequest = (
  signal: string,
  unanswered: Readonly<Record<RequestId, unknown>> = {},
): RequestId => {
  const first = requestId(`signal:${signal}`);
  let id = first;
  // A loop is used, because recursion over many unanswered requests would overflow the stack.
  for (let number = 2; Object.hasOwn(unanswered, id); number += 1) id = requestId(`${first}:${number}`);
  return id;
};

/** True if no client reads the answer: the supervisor itself or a signal made the request. */
export const hasNoClient = (id: RequestId): boolean => id.startsWith('signal:') || id.startsWith(NO_CLIENT);

/** Returns the field `by` of an input: the program that sent the command, if it is known. */
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
