// The services of a manifest with every default applied, every path absolute and every duration in
// milliseconds. `src/manifest` creates them; no other code reads YAML. Fields as in `docs/manifest.md`, "A
// service".
import type { ProjectId, ServiceId } from '../ids.ts';
import type { Ms } from '../time.ts';

/** How the program is started: `command` through `sh -c`, `exec` as program and arguments without a shell. */
export type Launch =
  | { readonly tag: 'shell'; readonly command: string }
  | { readonly tag: 'exec'; readonly argv: readonly string[] };

/**
 * A dependency, and the condition for starting its dependent. `started`: the dependency is ready, or a
 * one-shot that completed. `completed`: it exited with 0.
 */
export interface Dependency {
  readonly service: ServiceId;
  readonly condition: 'started' | 'completed';
}

/**
 * The delay before restart attempt n: `initial × factor^(n-1)`, at most `max`, varied by ± `jitter` (a share,
 * 0–1).
 */
export interface Backoff {
  readonly initial: Ms;
  readonly max: Ms;
  readonly factor: number;
  readonly jitter: number;
}

/** How a service's variables are combined with the supervisor's own environment. */
export interface EnvSpec {
  /**
   * The variables from `env.file` and `env.vars` of the top level, the project and the service, merged and
   * expanded.
   */
  readonly vars: Readonly<Record<string, string>>;
  readonly inherit: boolean;
  readonly clearSession: boolean;
  readonly strip: readonly string[];
  /** Present if no variable is inherited from the supervisor's environment. */
  readonly clean?: true;
}

export interface HealthCheck {
  readonly probe:
    { readonly tag: 'command'; readonly command: string } | { readonly tag: 'http'; readonly url: string };
  readonly interval: Ms;
  /** The first pause between probes of a starting service; it doubles up to `interval`. */
  readonly startInterval: Ms;
  /**
   * The pause between probes of a ready service; absent: `interval`. `off`: a ready service is not probed.
   */
  readonly afterReady?: Ms | 'off';
  readonly attemptTimeout: Ms;
  readonly totalTimeout: Ms;
  readonly retries: number;
}

export interface BlueGreen {
  readonly envVar: string;
  readonly slots: readonly [string, string];
  readonly switchCommand: string;
  readonly candidateHealthCheck?: HealthCheck;
  readonly switchVerify?: HealthCheck;
  readonly statePath?: string;
}

export interface Deployment {
  readonly strategy: 'rolling' | 'immediate';
  readonly preStart?: string;
  readonly healthCheck?: HealthCheck;
  readonly gracePeriod: Ms;
  readonly blueGreen?: BlueGreen;
}

/**
 * When a hook runs, as the manifest names it: Form A (`onstart`, `onerr`) or Form B (`<stage>.<outcome>`).
 */
export type HookName =
  | 'onstart'
  | 'onerr'
  | 'on_start.success'
  | 'on_start.error'
  | 'on_stop.success'
  | 'on_stop.error'
  | 'on_restart.success'
  | 'on_restart.error';

export interface Hook {
  readonly command: string;
  /** The time limit of the hook command; absent: none. */
  readonly timeout?: Ms;
}

/** How `sup reload` makes a running service read its configuration again. */
export type Reload =
  { readonly tag: 'signal'; readonly signal: string } | { readonly tag: 'command'; readonly command: string };

export interface CronSpec {
  readonly expression: string;
  /** The time zone of the schedule: an IANA name, `utc` or `local`. */
  readonly timezone: string;
  readonly timeout?: Ms;
}

export interface LogsSpec {
  readonly sink: 'file' | 'none';
  /** The log file is rotated at this size, bytes; 0: never. Absent: the value in `supervisor.xml`. */
  readonly maxBytes?: number;
  readonly maxFiles?: number;
}

/** The manifest key `spawn`: whether and how many children a running service may request. */
export interface SpawnPolicy {
  readonly mode: 'static' | 'dynamic';
  readonly children: number;
  readonly depth: number;
  readonly descendants: number;
  readonly totalMemory?: number;
  readonly terminationPolicy: 'cascade' | 'orphan' | 'reparent';
}

export type Limit = number | 'unlimited';

export interface CgroupSpec {
  readonly root: string;
  /** The memory limit of the cgroup: bytes, or `max` for no limit. */
  readonly memoryMax?: number | 'max';
  /** The CPU limit as text for the file `cpu.max`: `max`, `max 100000` or `50000 100000`. */
  readonly cpuMax?: string;
  readonly cpuWeight?: number;
}

export interface LimitsSpec {
  readonly nofile?: Limit;
  readonly nproc?: Limit;
  readonly memlock?: Limit;
  readonly core?: Limit;
  readonly nice?: number;
  readonly cpuAffinity?: readonly number[];
  readonly cgroup?: CgroupSpec;
}

export interface SeccompSpec {
  readonly profile: 'baseline' | 'none';
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  readonly action: 'errno' | 'kill' | 'log';
}

export interface LandlockSpec {
  readonly roPaths: readonly string[];
  readonly rwPaths: readonly string[];
  readonly execPaths: readonly string[];
}

export interface IsolationSpec {
  readonly network: boolean;
  readonly mount: boolean;
  readonly pid: boolean;
  readonly user: boolean;
  readonly seccomp?: SeccompSpec;
  readonly landlock?: LandlockSpec;
  readonly ports?: PortsSpec;
  readonly apparmorProfile?: string;
  readonly selinuxContext?: string;
  readonly privateDevices: boolean;
  readonly privateTmp: boolean;
}

/** The TCP ports that a service may bind and connect to. An absent list allows all ports. */
export interface PortsSpec {
  readonly bind?: readonly number[];
  readonly connect?: readonly number[];
}

/**
 * The manifest keys that need root privileges or a launcher program; some need a supervisor started with
 * `--sys`.
 */
export interface Privilege {
  readonly user?: string;
  readonly group?: string;
  readonly supplementaryGroups: readonly string[];
  /** The capabilities that the service keeps; absent: those that its user has. */
  readonly capabilities?: readonly string[];
  readonly limits?: LimitsSpec;
  readonly isolation?: IsolationSpec;
}

/** A listening socket that the supervisor opens and passes to each run of the service. */
export interface SocketSpec {
  readonly name: string;
  readonly listen:
    | { readonly tag: 'tcp'; readonly host: string; readonly port: number }
    | { readonly tag: 'unix'; readonly path: string };
  readonly backlog: number;
}

/** One service as declared, with everything that the supervisor needs to run it. */
export interface ServiceSpec {
  readonly id: ServiceId;
  readonly project: ProjectId;
  readonly name: string;
  readonly kind: 'service' | 'cron';
  /**
   * The version of the manifest schema. With version 3 a service is not started if a declared restriction
   * cannot be enforced.
   */
  readonly schema: 2 | 3;
  /**
   * The resolved path of the manifest that declares the service; `directory` is the base of relative paths
   * and hooks.
   */
  readonly manifest: string;
  readonly directory: string;
  readonly launch: Launch;
  readonly workingDir: string;
  readonly dependsOn: readonly Dependency[];
  readonly env: EnvSpec;
  readonly restartPolicy: 'always' | 'on-failure' | 'never';
  readonly backoff: Backoff;
  readonly maxRestarts: number;
  /**
   * Present if a supervisor that was started with manifests ends when this service has ended and is not
   * restarted.
   */
  readonly essential?: true;
  /** Present if the service may use the supervisor's control socket although it is confined. */
  readonly control?: true;
  readonly stopSignal: string;
  readonly stopTimeout: Ms;
  readonly reload?: Reload;
  readonly hooks: Readonly<Partial<Record<HookName, Hook>>>;
  readonly cron?: CronSpec;
  readonly deployment: Deployment;
  readonly logs: LogsSpec;
  /** `true` skips the service. A string is a command; the service is skipped if the command exits with 0. */
  readonly skip: boolean | string;
  readonly spawn: SpawnPolicy;
  readonly privilege: Privilege;
  /** The umask as four octal digits; absent: the supervisor's own. */
  readonly umask?: string;
  /**
   * The account that runs commands on behalf of the service, such as hooks (`docs/manifest.md`, "run_as").
   */
  readonly runAs?: 'supervisor' | 'service';
  /** The listening sockets; the service gets them in this order as descriptors from 3 on. */
  readonly sockets?: readonly SocketSpec[];
  /** The digest of all other fields in canonical order: equal digests mean equal declarations. */
  readonly digest: string;
}
