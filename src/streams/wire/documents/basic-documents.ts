// Parts that several JSON documents share: states, errors, exits.
import type { ErrorCode } from '../../domain/errors/error.ts';
import type { ProblemCode } from '../../domain/declared/manifest.ts';

/**
 * A time, ISO 8601 in UTC, in milliseconds or microseconds.
 * @pattern ^[+-]?\d{4,6}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(\d{3})?Z$
 */
export type TimeText = string;

/**
 * A whole number.
 * @asType integer
 */
export type Whole = number;

/** The public names for the states of a service. */
export const STATE_WORDS = [
  'scheduled',
  'waiting',
  'starting',
  'running',
  'backoff',
  'stopping',
  'stopped',
  'done',
  'failed',
  'breaker-open',
  'casualty',
  'skipped',
  'lost',
] as const;
export type StateWord = (typeof STATE_WORDS)[number];

export type HealthWord = 'healthy' | 'unhealthy' | 'unknown';

/**
 * An error for users and programs. `path`: the thing that the error is about. `at`: its place in a file, as
 * `file:line:column`.
 */
export interface ErrorDocument {
  readonly code: ErrorCode;
  readonly message: string;
  readonly path: string | null;
  readonly at: string | null;
  readonly hint: string | null;
  /** True if the error is about `health_check.liveness`. Absent if it is about the health check itself. */
  readonly liveness?: true;
  /** For ERR0106 and ERR0302: the errors of the failed services. */
  readonly errors?: readonly ErrorDocument[];
  /** The problems of the manifest that caused this error. */
  readonly problems?: readonly ProblemDocument[];
  /** The last output of the service. */
  readonly evidence?: readonly string[];
}

export interface ProblemDocument {
  readonly code: ProblemCode;
  readonly severity: 'error' | 'warning';
  readonly path: string;
  readonly file: string | null;
  readonly line: Whole | null;
  readonly column: Whole | null;
  readonly message: string;
  readonly hint: string | null;
}

/** The exit of a process: with a `code` or by a `signal`. Both are `null` if the exit status is unknown. */
export interface ExitDocument {
  readonly code: Whole | null;
  readonly signal: string | null;
  /** True for exit status 0, and for a status or signal that the service lists in `success_exit_codes`. */
  readonly success: boolean;
  readonly at: TimeText | null;
}

/** A port on which a process listens. */
export interface PortDocument {
  readonly protocol: 'tcp' | 'udp';
  readonly address: string;
  readonly port: Whole;
  /** The first process of the service that has the socket open, or, if there is none, the supervisor. */
  readonly pid: Whole;
}

/** The newest failure, which is never cleared. `exit` is `null` if there was no process. */
export interface FailureDocument {
  readonly at: TimeText;
  readonly error: ErrorDocument;
  readonly exit: ExitDocument | null;
}

/** An alert that could not be delivered (ERR0127). `cause`: as in the key `on` of the manifest. */
export interface UndeliveredDocument {
  readonly at: TimeText;
  readonly cause: string;
  readonly error: ErrorDocument;
}

/**
 * Alerts about the present incident that receivers did not get.
 * @minItems 1
 */
export type UndeliveredAlerts = readonly UndeliveredDocument[];

/** The document of `sup validate --json`. */
export interface ProblemsDocument {
  readonly schema: 'sup.problems/1';
  readonly valid: boolean;
  readonly problems: readonly ProblemDocument[];
  /** Texts for the user that are neither errors nor warnings. */
  readonly notes: readonly string[];
}

/** The document that a command with `--json` prints on standard error if it fails. */
export interface ErrorReport {
  readonly schema: 'sup.error/1';
  readonly error: ErrorDocument;
  readonly warnings: readonly string[];
}

/** A line of `sup logs --json`. */
export interface LogDocument {
  readonly schema: 'sup.log/1';
  /**
   * The time when the line was written, ISO 8601 in UTC with microseconds; `null` if the line in the log file
   * has no time.
   */
  readonly at: TimeText | null;
  readonly project: string;
  readonly service: string;
  readonly stream: string;
  readonly text: string;
}
