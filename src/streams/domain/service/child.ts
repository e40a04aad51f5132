// A child: a process that a service requested (`docs/manifest.md`, "spawn"). The runs and the children of a
// service are numbered in one sequence. A child has its own run tag, session and output stream. The state
// table of services also computes the states of children. The types are plain JSON.
import type { ServiceError } from '../errors/error.ts';
import type { RequestId, RunId, ServiceId } from '../ids.ts';
import type { Instant, Ms } from '../time.ts';
import type { ExitStatus } from './exit-status.ts';
import type { In } from './service-state.ts';

/** The parent of a child: a run, `service` (whatever run the service has), or `nobody` for an orphan. */
export type ChildParent = RunId | 'service' | 'nobody';

/** Why a child is stopped. */
export type ChildEnding =
  /** The service of the child was stopped. */
  | 'stopped'
  /** The parent of the child ended, and the termination policy is `cascade`. */
  | 'parent'
  /** The `--ttl` of the child ran out. */
  | 'ttl'
  /** The service used more than `total_memory`, and this was its newest child. */
  | 'memory';

export interface ChildOrder {
  /** The name of the child. Absent: `child-1`, or the next such name that is free. */
  readonly name?: string;
  readonly ttl?: Ms;
  readonly argv: readonly string[];
  /**
   * `SUP_UNIT` of the requesting process. The request is refused if the ancestry of the process shows another
   * run.
   */
  readonly unit?: string;
}

export interface Child {
  readonly name: string;
  readonly run: RunId;
  readonly parent: ChildParent;
  readonly argv: readonly string[];
  readonly born: Instant;
  readonly ttl?: Ms;
  /** When the child's `ttl` ends and it is stopped. */
  readonly expires?: Instant;
  readonly wanted: 'up' | 'down';
  /** Why the child is being stopped. Absent if no stop was requested. */
  readonly ending?: ChildEnding;
  readonly actual: In<'spawning' | 'starting' | 'up' | 'stopping'>;
  readonly exit?: ExitStatus;
  /** The request that is answered when the child runs. */
  readonly askedBy?: RequestId;
}

export interface PastChild {
  readonly name: string;
  readonly run: RunId;
  readonly parent: ChildParent;
  readonly argv: readonly string[];
  readonly pid?: number;
  readonly born: Instant;
  readonly ended: Instant;
  readonly exit?: ExitStatus;
  readonly ending?: ChildEnding;
  /** Why the child could not be started. */
  readonly error?: ServiceError;
}

/** A granted request for a child. Each parent gets at most ten children a second, so grants are counted. */
export interface Grant {
  readonly parent: ChildParent;
  readonly at: Instant;
}

export interface ChildBegun {
  readonly service: ServiceId;
  readonly name: string;
  readonly run: RunId;
  readonly pid: number;
  readonly depth: number;
  readonly expires?: Instant;
}

/** The part of a service that lists its children. */
interface WithChildren {
  readonly children?: readonly Child[];
}

/** Returns all living children of the service, of any depth. */
export const childrenIn = ({ children = [] }: WithChildren): readonly Child[] => children;

/**
 * True if a child that must end is alive. The dependencies of the service are not stopped before this child
 * has ended.
 */
export const isFollowed = (service: WithChildren): boolean =>
  childrenIn(service).some(({ wanted }) => wanted === 'down');
