// A manifest's services, resolved: every default applied, every path absolute, every duration in
// milliseconds. `src/manifest` creates them; no later code reads YAML. Fields as in
// `docs/manifest.md`, "A service".
import type { ProjectId, ServiceId } from '../ids.ts';
import type { Ms } from '../time.ts';

/** `command` runs through `sh -c`; `exec` is program and arguments, unchanged. */
export type Launch =
  | { readonly tag: 'shell'; readonly command: string }
  | { readonly tag: 'exec'; readonly argv: readonly string[] };

/** `started`: ready, or a finished one-shot. `completed`: exited with 0. */
export interface Dependency {
  readonly service: ServiceId;
  readonly condition: 'started' | 'completed';
}

/** Time between restart attempts: `initial × factor^(n-1)`, at most `max`, ± `jitter` (a share, 0–1). */
export interface Backoff {
  readonly initial: Ms;
  readonly max: Ms;
  readonly factor: number;
  readonly jitter: number;
}

/** How a service's variables are combined with the supervisor's own environment. */
export interface EnvSpec {
  /** `env.file` and `env.vars` of root, project and service, merged and expanded. */
  readonly vars: Readonly<Record<string, string>>;
  readonly inherit: boolean;
  readonly clearSession: boolean;
  readonly strip: readonly string[];
  /** The supervisor's environment is not inherited at all. */
  readonly clean?: true;
}

export interface HealthCheck {
  readonly probe:
    { readonly tag: 'command'; readonly command: string } | { readonly tag: 'http'; readonly url: string };
  readonly interval: Ms;
  /** First pause while starting; doubles up to `interval`. */
  readonly startInterval: Ms;
  /** Pause between probes of a ready service; `interval` if absent. `off`: a ready service is not probed. */
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

/** The occasion of a hook: Form A (`onstart`, `onerr`) or Form B (`<stage>.<outcome>`). */
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
  /** Absent: no limit. */
  readonly timeout?: Ms;
}

/** How a running service is made to read its configuration again. */
export type Reload =
  { readonly tag: 'signal'; readonly signal: string } | { readonly tag: 'command'; readonly command: string };

export interface CronSpec {
  readonly expression: string;
  /** An IANA name, `utc` or `local`. */
  readonly timezone: string;
  readonly timeout?: Ms;
}

export interface LogsSpec {
  readonly sink: 'file' | 'none';
  /** 0: never rotated. Absent: the supervisor's own default. */
  readonly maxBytes?: number;
  readonly maxFiles?: number;
}

/** `spawn`: dynamic child processes, on behalf of a running service. */
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
  /** Bytes or `max`. */
  readonly memoryMax?: number | 'max';
  /** As written to `cpu.max`: `max`, `max 100000` or `50000 100000`. */
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

/** TCP ports; an absent list restricts nothing. */
export interface PortsSpec {
  readonly bind?: readonly number[];
  readonly connect?: readonly number[];
}

/** Keys that take effect in privileged mode only. */
export interface Privilege {
  readonly user?: string;
  readonly group?: string;
  readonly supplementaryGroups: readonly string[];
  /** The capabilities to keep; absent: those that come with the user. */
  readonly capabilities?: readonly string[];
  readonly limits?: LimitsSpec;
  readonly isolation?: IsolationSpec;
}

/** A listening socket that the supervisor holds and passes to each run. */
export interface SocketSpec {
  readonly name: string;
  readonly listen:
    | { readonly tag: 'tcp'; readonly host: string; readonly port: number }
    | { readonly tag: 'unix'; readonly path: string };
  readonly backlog: number;
}

/** One service, ready to be supervised. */
export interface ServiceSpec {
  readonly id: ServiceId;
  readonly project: ProjectId;
  readonly name: string;
  readonly kind: 'service' | 'cron';
  /** Manifest schema; version 3 refuses what it cannot enforce. */
  readonly schema: 2 | 3;
  /** Resolved path of the manifest that declares it, and the base directory of relative paths and hooks. */
  readonly manifest: string;
  readonly directory: string;
  readonly launch: Launch;
  readonly workingDir: string;
  readonly dependsOn: readonly Dependency[];
  readonly env: EnvSpec;
  readonly restartPolicy: 'always' | 'on-failure' | 'never';
  readonly backoff: Backoff;
  readonly maxRestarts: number;
  /** When it ends for good, a supervisor that was started with manifests ends, too. */
  readonly essential?: true;
  /** True if it may use the control socket although it is confined. */
  readonly control?: true;
  readonly stopSignal: string;
  readonly stopTimeout: Ms;
  readonly reload?: Reload;
  readonly hooks: Readonly<Partial<Record<HookName, Hook>>>;
  readonly cron?: CronSpec;
  readonly deployment: Deployment;
  readonly logs: LogsSpec;
  /** `true`, or a command that skips the service if it succeeds. */
  readonly skip: boolean | string;
  readonly spawn: SpawnPolicy;
  readonly privilege: Privilege;
  /** Four octal digits; absent: the supervisor's own. */
  readonly umask?: string;
  /** The account of the commands on its behalf, as declared (`docs/manifest.md`, "run_as"). */
  readonly runAs?: 'supervisor' | 'service';
  /** Passed from descriptor 3 on, in this order. */
  readonly sockets?: readonly SocketSpec[];
  /** Digest of all fields above in canonical order: equal digests mean equal services. */
  readonly digest: string;
}
