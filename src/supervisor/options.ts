// The supervisor's own view of where it runs: gathered once, handed on by parameter.
import type { ConsoleStyle } from './followers/console.ts';
import type { Guarded } from './guarded.ts';
import type { ListenPlace } from '../sinks/metrics/listen.ts';
import type { Arrival } from '../streams/upgrade/handover.ts';
import type { Environment } from '../streams/env/service-environment.ts';

/** Where the loop works, and with what environment. */
export interface Place {
  readonly dataDir: string;
  readonly sys: boolean;
  readonly environment: Environment;
  /** The bundle that privileged services are started through; absent where nothing is started. */
  readonly launcher?: string;
  /** How many files a process may have open that asks for no more; `undefined`: nobody knows. */
  readonly softFiles?: number | undefined;
}

export interface SupervisorOptions extends Place {
  /** The log also goes to standard error. */
  readonly foreground: boolean;
  readonly version: string;
  /** Of the files of the program as they were when it began. */
  readonly fingerprint: string;
  /** `false`: as where the C library cannot be called. */
  readonly ffi: boolean;
  /** To be registered and started as soon as it runs, by resolved path. */
  readonly manifests: readonly string[];
  /** How what services print is shown on the standard output; absent: it is not. */
  readonly console?: ConsoleStyle | undefined;
  /** Who brings it back. */
  readonly guarded?: Guarded | undefined;
  /** It begins in the process of another program. */
  readonly arrival?: Arrival | undefined;
  /** Where measurements are served over HTTP. */
  readonly metricsListen?: ListenPlace;
}
