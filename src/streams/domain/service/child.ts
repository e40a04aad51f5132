// A child: a process that a service requested (`docs/manifest.md`, "spawn"). It is a run with a run number of
// the service, and has its own run tag, session and output stream. The states of a child follow the state
// table of services. All fields can be stored as JSON.
import type { ServiceError } from '../errors/error.ts';
import type { RequestId, RunId, ServiceId } from '../ids.ts';
import type { Instant, Ms } from '../time.ts';
import type { ExitStatus } from './exit.ts';
import type { In } from './service-state.ts';

/**
 * The parent of a child: a run (of the service or of another child), the service with whichever run it has,
 * or `nobody` for an orphan.
 */
export type ChildParent = RunId | 'service' | 'nobody';

/** Why a child is stopped. */
export type ChildEnding =
  /** The service of the child was stopped. */
  | 'stopped'
  /** The parent of the child ended, and the termination policy is `cascade`. */
  | 'parent'
  /** The `--ttl` of the child ran out. */
  | 'ttl'
  /** The service and its children used more than `total_memory`, and this child was the newest. */
  | 'memory';

/** The parameters of a request for a child. */
export interface ChildOrder {
  /** The name of the child; absent: `child-1`, or the next such name that is free. */
  readonly name?: string;
  readonly ttl?: Ms;
  readonly argv: readonly string[];
  /**
   * `SUP_UNIT` in the environment of the requesting process. The request is refused if it does not match the
   * process's ancestry.
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
  /** When the child's time to live (`ttl`) ends; then it is stopped. */
  readonly expires?: Instant;
  readonly wanted: 'up' | 'down';
  /** Why the child is being stopped; absent: no stop was requested. */
  readonly ending?: ChildEnding;
  readonly actual: In<'spawning' | 'starting' | 'up' | 'stopping'>;
  readonly exit?: ExitStatus;
  /** The request to answer once the process of the child runs. */
  readonly askedBy?: RequestId;
}

/** A child that has ended. */
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
  /** Present if the child could not be started. */
  readonly error?: ServiceError;
}

/**
 * One granted request for a child. Granted requests are counted, because each parent gets at most ten
 * children a second.
 */
export interface Grant {
  readonly parent: ChildParent;
  readonly at: Instant;
}

/** The answer to a granted request for a child. */
export interface ChildBegun {
  readonly service: ServiceId;
  readonly name: string;
  readonly run: RunId;
  readonly pid: number;
  readonly depth: number;
  readonly expires?: Instant;
}
