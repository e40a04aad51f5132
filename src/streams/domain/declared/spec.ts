// The services of a manifest: defaults applied, paths absolute, durations in ms. `src/manifest` creates them;
// no other code reads YAML. Fields as in `docs/manifest.md`, "A service".
import type { ProjectId, ServiceId } from '../ids.ts';
import type { Ms } from '../time.ts';
import type { HealthCheck } from './health-check.ts';

/** How the program is started: `command` through `sh -c`, `exec` without a shell. */
export type Launch =
  | { readonly tag: 'shell'; readonly command: string }
  | { readonly tag: 'exec'; readonly argv: readonly string[] };

/** A dependency and its condition. `started`: ready, or a completed one-shot. `completed`: ended well. */
export interface Dependency {
  readonly service: ServiceId;
  readonly condition: 'started' | 'completed';
  /** False if the dependent starts and stays up without it. */
  readonly required?: false;
}

/** The delay before attempt n: `initial × factor^(n-1)`, at most `max`, ± `jitter` (a share, 0–1). */
export interface Backoff {
  readonly initial: Ms;
  readonly max: Ms;
  readonly factor: number;
  readonly jitter: number;
}

export interface EnvSpec {
  /** `env.file` and `env.vars` of top level, project and service, merged and expanded. */
  readonly vars: Readonly<Record<string, string>>;
  /** The files of `env.secrets` by the names of their variables, as absolute paths. Absent: none. */
  readonly secrets?: Readonly<Record<string, string>>;
  readonly inherit: boolean;
  readonly clearSession: boolean;
  readonly strip: readonly string[];
  /** Present if no variable is inherited from the supervisor's environment. */
  readonly clean?: true;
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

/** When a hook runs, as the manifest names it: Form A (`onstart`) or Form B (`<stage>.<outcome>`). */
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
  readonly timeout?: Ms;
}

/** How `sup reload` makes a running service read its configuration again. */
export type Reload =
  { readonly tag: 'signal'; readonly signal: string } | { readonly tag: 'command'; readonly command: string };

/** Files that restart or signal the service when they change. */
export interface WatchSpec {
  /** Absolute paths. */
  readonly paths: readonly string[];
  readonly ignore?: readonly string[];
  readonly debounce: Ms;
  /** `restart`, or a signal. */
  readonly action: string;
}

export interface CronSpec {
  readonly expression: string;
  /** The time zone of the schedule: an IANA name, `utc` or `local`. */
  readonly timezone: string;
  readonly timeout?: Ms;
  /** What happens at a scheduled time while a run is alive. Absent: `skip`. */
  readonly overlap?: 'queue';
  /** What happens with a scheduled time at which no supervisor ran. Absent: `none`. */
  readonly catchUp?: 'once';
  /** A run begins up to this long after its scheduled time. */
  readonly jitter?: Ms;
}

/** What an alert can be about; `recovered` is the end of any of the others. */
export const ALERT_CAUSES = ['breaker-open', 'failed', 'unhealthy', 'rollout-failed', 'recovered'] as const;

export type AlertCause = (typeof ALERT_CAUSES)[number];

/** A receiver of messages about incidents, declared for the whole manifest. */
export interface AlertSpec {
  readonly on: readonly AlertCause[];
  /** A command runs in `directory`, that of the manifest. */
  readonly to:
    | { readonly tag: 'command'; readonly command: string; readonly directory: string }
    | { readonly tag: 'url'; readonly url: string };
  /** The maximum time of one attempt to deliver. */
  readonly timeout: Ms;
  /** How long a service must be ready and healthy until its incident is over. */
  readonly recoveredAfter: Ms;
  /** The file with the secret that signs a POST. */
  readonly secretFile?: string;
}

export interface LogsSpec {
  readonly sink: 'file' | 'none';
  /** Bytes at which the log file is rotated; 0: never. Default: the value in `supervisor.xml`. */
  readonly maxBytes?: number;
  readonly maxFiles?: number;
  /** Rotated files that were written longer ago are removed. */
  readonly maxAge?: Ms;
  /** True if rotated files are compressed. */
  readonly compress?: boolean;
}

/** Whether and how many children a running service may request. */
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
  /** Above this many bytes the kernel slows the processes down and reclaims memory; `max` for no limit. */
  readonly memoryHigh?: number | 'max';
  /** Text for the file `cpu.max`: `max`, `max 100000` or `50000 100000`. */
  readonly cpuMax?: string;
  readonly cpuWeight?: number;
  /** The most processes and threads; `max` for no limit. */
  readonly pidsMax?: number | 'max';
}

export interface LimitsSpec {
  readonly nofile?: Limit;
  readonly nproc?: Limit;
  readonly memlock?: Limit;
  readonly core?: Limit;
  readonly stack?: Limit;
  readonly fsize?: Limit;
  readonly nice?: number;
  /** Written to `/proc/PID/oom_score_adj`: -1000 (never killed for memory) to 1000. */
  readonly oomScoreAdj?: number;
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
  /** The only families of sockets, in the form `AF_XXX`; absent: all, or those of the seccomp profile. */
  readonly addressFamilies?: readonly string[];
  /** True: no exec can gain rights. Absent: the schema and the user decide. */
  readonly noNewPrivs?: boolean;
  readonly protect?: ProtectSpec;
  readonly apparmorProfile?: string;
  readonly selinuxContext?: string;
  readonly privateDevices: boolean;
  readonly privateTmp: boolean;
}

/** What a service sees of the machine in its mount namespace; absent keys change nothing. */
export interface ProtectSpec {
  /** `read_only`: all files but those in `rw_paths`; `os_read_only`: those of the operating system. */
  readonly system?: 'read_only' | 'os_read_only';
  readonly home?: 'hidden' | 'read_only';
  readonly tmp?: 'private';
  readonly devices?: 'minimal';
  readonly proc?: 'own';
  readonly kernel?: 'read_only';
}

/** TCP ports that a service may bind and connect to. An absent list allows all. */
export interface PortsSpec {
  readonly bind?: readonly number[];
  readonly connect?: readonly number[];
}

/** Keys that need a launcher program or root; some need a supervisor started with `--sys`. */
export interface Privilege {
  readonly user?: string;
  readonly group?: string;
  readonly supplementaryGroups: readonly string[];
  /** The capabilities that the service keeps; absent: those of its user. */
  readonly capabilities?: readonly string[];
  readonly limits?: LimitsSpec;
  readonly isolation?: IsolationSpec;
  /** The files that the service gets in `$CREDENTIALS_DIRECTORY`, as absolute paths by their names there. */
  readonly credentials?: Readonly<Record<string, string>>;
}

/** A listening socket that the supervisor opens and passes to each run. */
export interface SocketSpec {
  readonly name: string;
  readonly listen:
    | { readonly tag: 'tcp'; readonly host: string; readonly port: number }
    | { readonly tag: 'unix'; readonly path: string };
  readonly backlog: number;
}

/** One service as declared, with everything needed to run it. */
export interface ServiceSpec {
  readonly id: ServiceId;
  readonly project: ProjectId;
  readonly name: string;
  readonly kind: 'service' | 'cron';
  /** With schema 3 a service does not start if a declared restriction cannot be enforced. */
  readonly schema: 2 | 3;
  /** The resolved path of the manifest; `directory` is the base of relative paths and hooks. */
  readonly manifest: string;
  readonly directory: string;
  readonly launch: Launch;
  readonly workingDir: string;
  /** The directory for the data of the service, absolute; made at the first start. */
  readonly stateDir?: string;
  readonly dependsOn: readonly Dependency[];
  readonly env: EnvSpec;
  readonly restartPolicy: 'always' | 'on-failure' | 'never';
  readonly backoff: Backoff;
  readonly maxRestarts: number;
  /** Exit statuses and signals (`SIGTERM`) that count as a success besides 0. Absent: none. */
  readonly successExitCodes?: readonly (number | string)[];
  /** A supervisor started with manifests ends when this service has ended for good. */
  readonly essential?: true;
  /** Present if the service may use the control socket although it is confined. */
  readonly control?: true;
  readonly stopSignal: string;
  readonly stopTimeout: Ms;
  /** The command that begins a stop; `stopSignal` follows it. */
  readonly stopCommand?: string;
  /** Bytes of resident memory over which the service is restarted, after `maxMemoryFor`. */
  readonly maxMemory?: number;
  /** Present with `maxMemory`. */
  readonly maxMemoryFor?: Ms;
  readonly watch?: WatchSpec;
  readonly reload?: Reload;
  readonly hooks: Readonly<Partial<Record<HookName, Hook>>>;
  readonly cron?: CronSpec;
  readonly deployment: Deployment;
  readonly logs: LogsSpec;
  /** Whether the service is skipped: always (`true`), or if this command exits with 0. */
  readonly skip: boolean | string;
  readonly spawn: SpawnPolicy;
  readonly privilege: Privilege;
  /** The umask as four octal digits; absent: the supervisor's own. */
  readonly umask?: string;
  /** The account for commands on behalf of the service, such as hooks (`docs/manifest.md`, "run_as"). */
  readonly runAs?: 'supervisor' | 'service';
  /** The held sockets, which the service gets in this order as descriptors from 3 on. */
  readonly sockets?: readonly SocketSpec[];
  /** The receivers of alerts, which the manifest declares for all its services. */
  readonly alerts?: readonly AlertSpec[];
  /** Digest of all other fields in canonical order: equal digests mean equal declarations. */
  readonly digest: string;
}
