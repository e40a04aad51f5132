// A process that a service requested (`docs/manifest.md`, "spawn"). It is a run of its own, with a run number
// of the service, a mark, a session and an output. The service's state table decides its states. All of it
// survives JSON.
import type { ServiceError } from '../errors/error.ts';
import type { RequestId, RunId, ServiceId } from '../ids.ts';
import type { Instant, Ms } from '../time.ts';
import type { ExitStatus } from './exit.ts';
import type { In } from './service-state.ts';

/**
 * The parent of a child: a run (of the service or of another child), whichever run the service has, or none
 * any more.
 */
export type ChildParent = RunId | 'service' | 'nobody';

/** Why a child was told to end. */
export type ChildEnding =
  /** The service was stopped. */
  | 'stopped'
  /** Its parent ended, and the policy is `cascade`. */
  | 'parent'
  /** Its `--ttl` ran out. */
  | 'ttl'
  /** The tree used more than `total_memory`, and this child was the newest. */
  | 'memory';

/** What a service asks for when it requests a child. */
export interface ChildOrder {
  /** Absent: `child-1`, or the next that is free. */
  readonly name?: string;
  readonly ttl?: Ms;
  readonly argv: readonly string[];
  /** `SUP_UNIT` of the requesting process; it must agree with its ancestry. */
  readonly unit?: string;
}

export interface Child {
  readonly name: string;
  readonly run: RunId;
  readonly parent: ChildParent;
  readonly argv: readonly string[];
  readonly born: Instant;
  readonly ttl?: Ms;
  /** When its `ttl` runs out. */
  readonly expires?: Instant;
  readonly wanted: 'up' | 'down';
  /** Absent: no stop was requested. */
  readonly ending?: ChildEnding;
  readonly actual: In<'spawning' | 'starting' | 'up' | 'stopping'>;
  readonly exit?: ExitStatus;
  /** The request that is answered when it runs. */
  readonly askedBy?: RequestId;
}

/** A child that is over. */
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
  /** Present if it could not be started. */
  readonly error?: ServiceError;
}

/** A granted spawn; each parent gets at most ten a second. */
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
