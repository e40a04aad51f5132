// A process that a service has asked for (`docs/manifest.md`, "spawn"). It is a run of its own, with a number of the service's, a
// mark, a session and an output; what becomes of it is decided by the table of services. Everything here survives JSON.
import type { ServiceError } from '../errors/error.ts';
import type { RequestId, RunId, ServiceId } from '../ids.ts';
import type { Instant, Ms } from '../time.ts';
import type { ExitStatus } from './exit.ts';
import type { In } from './state.ts';

/** Whose child it is: that run's (of the service, or of another child), whichever run the service has, or nobody's any more. */
export type ChildParent = RunId | 'service' | 'nobody';

/** Why somebody was told to end. */
export type ChildEnding =
  /** The service was stopped. */
  | 'stopped'
  /** Its parent ended, and the policy is `cascade`. */
  | 'parent'
  /** Its `--ttl` was spent. */
  | 'ttl'
  /** The tree took more than `total_memory`, and it was the newest. */
  | 'memory';

/** What a service asks for. */
export interface ChildOrder {
  /** Absent: `child-1`, or the next that is free. */
  readonly name?: string;
  readonly ttl?: Ms;
  readonly argv: readonly string[];
  /** `SUP_UNIT` of whoever asks: it must say what its ancestry says. */
  readonly unit?: string;
}

export interface Child {
  readonly name: string;
  readonly run: RunId;
  readonly parent: ChildParent;
  readonly argv: readonly string[];
  readonly born: Instant;
  readonly ttl?: Ms;
  /** When its `ttl` is spent. */
  readonly expires?: Instant;
  readonly wanted: 'up' | 'down';
  /** Absent: nobody told it to end. */
  readonly ending?: ChildEnding;
  readonly actual: In<'spawning' | 'starting' | 'up' | 'stopping'>;
  readonly exit?: ExitStatus;
  /** Who waits to hear that it runs. */
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
  /** It could not be started. */
  readonly error?: ServiceError;
}

/** A spawn that was granted: ten a second and no more for each parent. */
export interface Grant {
  readonly parent: ChildParent;
  readonly at: Instant;
}

/** What became of a request for a child. */
export interface ChildBegun {
  readonly service: ServiceId;
  readonly name: string;
  readonly run: RunId;
  readonly pid: number;
  readonly depth: number;
  readonly expires?: Instant;
}
