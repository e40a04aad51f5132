// The supervisor's options: gathered once, passed on as parameters.
import type { ConsoleStyle } from './followers/console.ts';
import type { Guarded } from './guardian-report.ts';
import type { Arrival } from '../streams/upgrade/handover.ts';
import type { Environment } from '../streams/env/service-environment.ts';
import type { MetricsPlace } from '../sinks/metrics/metrics-listener.ts';

/** Where the loop runs, and with which environment. */
export interface RunOptions {
  readonly dataDir: string;
  readonly sys: boolean;
  readonly environment: Environment;
  /** Path of the bundle that starts privileged services; absent if nothing is started. */
  readonly launcher?: string;
  /** Soft limit of open files for processes that do not raise it; `undefined` if it is unknown. */
  readonly softFiles?: number | undefined;
}

export interface SupervisorOptions extends RunOptions {
  /** True if the log also goes to standard error. */
  readonly foreground: boolean;
  readonly version: string;
  /** Identifies the program's files as they were when it began. */
  readonly fingerprint: string;
  /** `false`: behave as if the C library could not be called. */
  readonly ffi: boolean;
  /** Resolved paths of manifests to register and start at once. */
  readonly manifests: readonly string[];
  /** How the output of services is shown on standard output; absent if it is not. */
  readonly console?: ConsoleStyle | undefined;
  /** The guardian that restarts it; absent if there is none. */
  readonly guarded?: Guarded | undefined;
  /** Set if it took over in the process of another program. */
  readonly arrival?: Arrival | undefined;
  /** Address that serves metrics over HTTP. */
  readonly metricsListen?: MetricsPlace;
}
