// A request: one command of one client, from being received to being answered.
//
// A request is *received*. If it concerns declarations, its manifests are *loaded* first. Then it has its *targets*, is sent
// to them, and *awaits* each. It *hears* of a target whenever that moves, and comes to a *verdict*: still pending, reached,
// or the error that keeps it from there. With a verdict the target is *decided*; when all are, the request is *answered*.
// A restart takes its targets in *turn*; who is to stop before its turn has come is *withdrawn*. A request that takes too long *expires*; one that cannot be carried out at all is
// *refused*.
import type { Command } from '../../domain/command.ts';
import type { SupError } from '../../domain/errors/error.ts';
import { requestId, UNHEARD, type RequestId, type ServiceId } from '../../domain/ids.ts';
import type { ChangedKey } from '../../domain/plan.ts';
import type { Tag } from '../../domain/service/service.ts';
import type { Instant } from '../../domain/time.ts';

/** As much of a target as its outcome is told by. */
export interface Before {
  readonly tag: Tag;
  /** How many runs it had had. */
  readonly runs: number;
  /** When the last of its rollouts and of its scheduled runs that were over by then had begun: older than the command, whatever the clock says. */
  readonly rolled?: Instant;
  readonly ran?: Instant;
  /** When it had last failed. */
  readonly failed?: Instant;
  /** When the rollout that the command itself has called off had begun: what it learns is how that is over. */
  readonly takenBack?: Instant;
  /** The keys that the command had its run take up. */
  readonly live?: readonly string[];
}

/** A command that has not been answered yet. */
export interface Request {
  readonly id: RequestId;
  readonly command: Command;
  readonly since: Instant;
  /** When it expires: a start as a whole, a restart on the service whose turn it is. */
  readonly deadline?: Instant;
  /** `loading`: its manifests are being read. `tracing`: who asks is looked for. `awaiting`: its targets are on their way. */
  readonly phase: 'loading' | 'tracing' | 'awaiting';
  readonly paths: readonly string[];
  readonly targets: readonly ServiceId[];
  /** What they were when it came to them. */
  readonly before: Readonly<Record<ServiceId, Before>>;
  /** Targets whose verdict is still out. */
  readonly undecided: number;
  readonly failures: readonly SupError[];
  readonly warnings: readonly string[];
  /** What it changed of the keys that are for the whole supervisor. */
  readonly tables?: readonly ChangedKey[];
  /** Restart is one service at a time: those whose turn has not come. */
  readonly queue: readonly ServiceId[];
  /** The service whose turn it is. */
  readonly turn?: ServiceId;
}

/** Signals are commands that nobody waits for, each of them another one. */
export const signalRequest = (
  signal: string,
  unanswered: Readonly<Record<RequestId, unknown>> = {},
): RequestId => {
  const first = requestId(`signal:${signal}`);
  let id = first;
  // Step by step: there may be more of them than calls can be nested.
  for (let number = 2; Object.hasOwn(unanswered, id); number += 1) id = requestId(`${first}:${number}`);
  return id;
};

/** It came as a signal, or with the supervisor itself: nobody reads its answer. */
export const isUnheard = (id: RequestId): boolean => id.startsWith('signal:') || id.startsWith(UNHEARD);

/** A command that has just come: nothing is known of its targets. */
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
