// The supervisor's options, which are collected once from arguments and environment.
import type { ConsoleStyle } from './followers/console.ts';
import type { Guarded } from './guardian-report.ts';
import type { Arrival } from '../streams/upgrade/handover.ts';
import type { Environment } from '../streams/env/service-environment.ts';
import type { Marks } from '../sources/process/read-tags.ts';
import type { MetricsPlace } from '../sinks/metrics/metrics-listener.ts';

/** The options that the supervisor's loop needs: data directory, mode and environment. */
export interface RunOptions {
  readonly dataDir: string;
  readonly sys: boolean;
  readonly environment: Environment;
  /** Path of the program that starts privileged services; absent if nothing is started. */
  readonly launcher?: string;
  /** Soft limit of open files for processes that do not declare a higher limit; absent if it is not known. */
  readonly softFiles?: number | undefined;
  /** The tags that the scan at the start has read, so that later scans need not read these tags again. */
  readonly tags?: Marks;
}

export interface SupervisorOptions extends RunOptions {
  /** True if the log also goes to standard error. */
  readonly foreground: boolean;
  readonly version: string;
  /** Identifies the state of the program's files when the program was started (`fingerprintOf`). */
  readonly fingerprint: string;
  /** True if the C library may be called. If false, the supervisor works as if the C library were missing. */
  readonly ffi: boolean;
  /** Resolved paths of manifests to register and start immediately. */
  readonly manifests: readonly string[];
  /** The format in which the output of services goes to standard output; absent if it is not printed. */
  readonly console?: ConsoleStyle | undefined;
  /** The guardian that restarts this supervisor; absent if there is none. */
  readonly guarded?: Guarded | undefined;
  /**
   * The state that the previous program in this process handed over in an upgrade; absent if there was no
   * upgrade.
   */
  readonly arrival?: Arrival | undefined;
  /** Address at which metrics are served over HTTP; absent if they are not served. */
  readonly metricsListen?: MetricsPlace;
}
