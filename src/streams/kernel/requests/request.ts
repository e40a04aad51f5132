// A request: one command of one client, from being received to being answered.
//
// The words for its life, in order:
// - *received*: the command has arrived. *Refused*: it cannot be carried out at all.
// - *loading*: if the command is about declarations, its manifests are read first.
// - *targets*: the services that it is about. The request is sent to them and *awaits* each.
// - *hear*: the request is notified when a target changes.
// - *verdict*: whether a target is still pending, has reached what the command wants, or has failed with an
//   error. After the last two the target is *decided*.
// - *turn*: a restart takes its targets one at a time. A target that must stop before its turn is
//   *withdrawn*.
// - *answered*: all targets are decided. *Expired*: the request took too long.
import type { Command } from '../../domain/command.ts';
import type { SupError } from '../../domain/errors/error.ts';
import { requestId, UNHEARD, type RequestId, type ServiceId } from '../../domain/ids.ts';
import type { ChangedKey } from '../../domain/apply-plan.ts';
import type { Tag } from '../../domain/service/service.ts';
import type { Instant } from '../../domain/time.ts';

/** What is recorded of a service when a command about it comes, to find the outcome of that command later. */
export interface Before {
  readonly tag: Tag;
  /** Number of the service's latest run when the command came. */
  readonly runs: number;
  /**
   * When the last rollout (`rolled`) and the last scheduled run (`ran`) began that had ended when the command
   * came. So both are known to be older than the command, even if the clock was set back since.
   */
  readonly rolled?: Instant;
  readonly ran?: Instant;
  /** When the target had last failed before the command came. */
  readonly failed?: Instant;
  /**
   * When the rollout began that the command has cancelled. The end of that rollout decides the verdict on the
   * service.
   */
  readonly takenBack?: Instant;
  /** The changed manifest keys that the current run uses since this command, without a new run. */
  readonly live?: readonly string[];
}

/** A command that has not been answered yet. */
export interface Request {
  readonly id: RequestId;
  readonly command: Command;
  readonly since: Instant;
  /**
   * When the request is answered at the latest, with an error for what is not finished. For a start this
   * limit covers all targets; for a restart only the service in turn.
   */
  readonly deadline?: Instant;
  /**
   * `loading`: the manifests are being read. `tracing`: the client process is being identified. `awaiting`:
   * at least one target has not reached its state or failed yet.
   */
  readonly phase: 'loading' | 'tracing' | 'awaiting';
  readonly paths: readonly string[];
  readonly targets: readonly ServiceId[];
  /** What was recorded of each target when the command came. */
  readonly before: Readonly<Record<ServiceId, Before>>;
  /** Number of targets that have neither reached the state that the command wants nor failed. */
  readonly undecided: number;
  readonly failures: readonly SupError[];
  readonly warnings: readonly string[];
  /** The keys `status` and `metrics`, for the whole supervisor, that the command has changed. */
  readonly tables?: readonly ChangedKey[];
  /** Targets of a restart, apply or rollback that have not had their turn yet. */
  readonly queue: readonly ServiceId[];
  /** The service that has its turn: a restart, apply or rollback changes one service at a time. */
  readonly turn?: ServiceId;
}

/** Returns a request id for a signal, different from the ids of all unanswered requests. */
export const signalRequest = (
  signal: string,
  unanswered: Readonly<Record<RequestId, unknown>> = {},
): RequestId => {
  const first = requestId(`signal:${signal}`);
  let id = first;
  // A loop, not recursion: many unanswered requests would exceed the call stack.
  for (let number = 2; Object.hasOwn(unanswered, id); number += 1) id = requestId(`${first}:${number}`);
  return id;
};

/** True if no client reads the answer: the request came from a signal or from the supervisor itself. */
export const isUnheard = (id: RequestId): boolean => id.startsWith('signal:') || id.startsWith(UNHEARD);

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
