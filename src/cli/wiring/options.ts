// The supervisor's own view of where it runs: gathered once, handed on by parameter.
import type { Environment } from '../../streams/env/service-environment.ts';

export interface SupervisorOptions {
  readonly dataDir: string;
  readonly sys: boolean;
  /** The log also goes to standard error. */
  readonly foreground: boolean;
  readonly environment: Environment;
  readonly version: string;
  /** The bundle that privileged services are started through. */
  readonly launcher: string;
  /** To be registered and started as soon as it runs, by resolved path. */
  readonly manifests: readonly string[];
}
