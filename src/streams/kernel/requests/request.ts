// A request: one command of one client, from being received to being answered.
//
// A request is *received*. If it is about declarations, its manifests are *loaded* first. Then it has its
// *targets*, is sent to them, and *awaits* each. It is notified (*hears*) when a target moves, and comes to a
// *verdict*: still pending, reached, or the error that prevents it. With a verdict the target is *decided*;
// when all are, the request is *answered*. A restart takes its targets in *turn*; one that must stop before
// its turn is *withdrawn*. A request that takes too long *expires*; one that cannot be carried out at all is
// *refused*.
import type { Command } from '../../domain/command.ts';
import type { SupError } from '../../domain/errors/error.ts';
import { requestId, UNHEARD, type RequestId, type ServiceId } from '../../domain/ids.ts';
import type { ChangedKey } from '../../domain/apply-plan.ts';
import type { Tag } from '../../domain/service/service.ts';
import type { Instant } from '../../domain/time.ts';

/** The facts about a target that its outcome is compared with. */
export interface Before {
  readonly tag: Tag;
  /** How many runs it had had. */
  readonly runs: number;
  /**
   * When the last rollout and scheduled run that were over by then had begun. They are older than the
   * command, whatever the clock says.
   */
  readonly rolled?: Instant;
  readonly ran?: Instant;
  /** When it had last failed. */
  readonly failed?: Instant;
  /** When the rollout that the command itself cancelled had begun: the verdict is how that ends. */
  readonly takenBack?: Instant;
  /** The keys that its run took up for this command. */
  readonly live?: readonly string[];
}

/** A command that has not been answered yet. */
export interface Request {
  readonly id: RequestId;
  readonly command: Command;
  readonly since: Instant;
  /** When it expires: a start as a whole, a restart on the service in turn. */
  readonly deadline?: Instant;
  /**
   * `loading`: its manifests are being read. `tracing`: the client is being identified. `awaiting`: its
   * targets are on their way.
   */
  readonly phase: 'loading' | 'tracing' | 'awaiting';
  readonly paths: readonly string[];
  readonly targets: readonly ServiceId[];
  /** The state of each target when the command came. */
  readonly before: Readonly<Record<ServiceId, Before>>;
  /** Number of targets without a verdict. */
  readonly undecided: number;
  readonly failures: readonly SupError[];
  readonly warnings: readonly string[];
  /** The keys for the whole supervisor that it changed. */
  readonly tables?: readonly ChangedKey[];
  /** Restart takes one service at a time: those still to come. */
  readonly queue: readonly ServiceId[];
  /** The service in turn. */
  readonly turn?: ServiceId;
}

/** The request id of a signal, unique among the unanswered ones. */
export const signalRequest = (
  signal: string,
  unanswered: Readonly<Record<RequestId, unknown>> = {},
): RequestId => {
  const first = requestId(`signal:${signal}`);
  let id = first;
  // A loop, not recursion: there may be more of them than calls can be nested.
  for (let number = 2; Object.hasOwn(unanswered, id); number += 1) id = requestId(`${first}:${number}`);
  return id;
};

/** True if it came as a signal or with the supervisor itself: no client reads the answer. */
export const isUnheard = (id: RequestId): boolean => id.startsWith('signal:') || id.startsWith(UNHEARD);

/** A new request, without targets. */
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
