// The services of a manifest: defaults applied, paths absolute, durations in ms. `src/manifest` creates them;
// no other code reads YAML. `docs/manifest.md`, "A service", explains the keys.
import type { ProjectId, ServiceId } from '../ids.ts';
import type { Ms } from '../time.ts';
import type { HealthCheck } from './health-check.ts';

/** How the program is started: `shell` passes `command` to `sh -c`, `exec` uses no shell. */
export type Launch =
  | { readonly tag: 'shell'; readonly command: string }
  | { readonly tag: 'exec'; readonly argv: readonly string[] };

/** A dependency. `started`: it must be ready or a completed one-shot. `completed`: it must have succeeded. */
export interface Dependency {
  readonly service: ServiceId;
  readonly condition: 'started' | 'completed';
  /** Present if the dependent starts and stays up without this dependency. */
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
  /** The merged and expanded variables of `env.file` and `env.vars` of top level, project and service. */
  readonly vars: Readonly<Record<string, string>>;
  /** For each variable in `env.secrets`: the absolute path of the file with its value. Absent: none. */
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

/** When a hook runs, as the manifest names it: form A (`onstart`) or form B (`<stage>.<outcome>`). */
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

/** Files that the supervisor watches. A change restarts the service or sends a signal to it. */
export interface WatchSpec {
  /** Absolute paths. */
  readonly paths: readonly string[];
  readonly ignore?: readonly string[];
  readonly debounce: Ms;
  /** `restart`, or the name of the signal to send. */
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
  /** The longest delay of a run after its scheduled time. Each delay is chosen between 0 and this. */
  readonly jitter?: Ms;
}

/** The incidents that an alert can report. `recovered` reports the end of an incident of another cause. */
export const ALERT_CAUSES = ['breaker-open', 'failed', 'unhealthy', 'rollout-failed', 'recovered'] as const;

export type AlertCause = (typeof ALERT_CAUSES)[number];

/** A receiver of messages about incidents. A manifest declares it for all its services. */
export interface AlertSpec {
  readonly on: readonly AlertCause[];
  /**
   * The address of the receiver: a command that is run in `directory`, the directory of the manifest; or a
   * URL.
   */
  readonly to:
    | { readonly tag: 'command'; readonly command: string; readonly directory: string }
    | { readonly tag: 'url'; readonly url: string };
  /** The time limit for each attempt to deliver a message. */
  readonly timeout: Ms;
  /** How long a service must stay ready and healthy before its incident is over. */
  readonly recoveredAfter: Ms;
  /** The file with the secret that signs a POST. */
  readonly secretFile?: string;
}

export interface LogsSpec {
  readonly sink: 'file' | 'none';
  /** The size in bytes at which the log file is rotated; 0: never. Absent: the value in `supervisor.xml`. */
  readonly maxBytes?: number;
  readonly maxFiles?: number;
  /** The maximum age of rotated files. An older rotated file is removed. */
  readonly maxAge?: Ms;
  /** True if rotated files are compressed. */
  readonly compress?: boolean;
}

/** Whether a running service may request children, and the limits for them. */
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
  /** Above this memory use in bytes, Linux slows the processes and reclaims memory; `max`: no limit. */
  readonly memoryHigh?: number | 'max';
  /** Text for the file `cpu.max`: `max`, `max 100000` or `50000 100000`. */
  readonly cpuMax?: string;
  readonly cpuWeight?: number;
  /** The maximum number of processes and threads; `max` for no limit. */
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
  /** The value for `/proc/PID/oom_score_adj`, from -1000 (never killed for lack of memory) to 1000. */
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
  /**
   * The socket families that the service may use, as `AF_XXX`. Absent: those of the seccomp profile, or all.
   */
  readonly addressFamilies?: readonly string[];
  /** True: no program of the service can gain rights. Absent: manifest version and user decide. */
  readonly noNewPrivs?: boolean;
  readonly protect?: ProtectSpec;
  readonly apparmorProfile?: string;
  readonly selinuxContext?: string;
  readonly privateDevices: boolean;
  readonly privateTmp: boolean;
}

/** What a service sees of the machine in its mount namespace. An absent key changes nothing. */
export interface ProtectSpec {
  /** `read_only`: all files except those in `rw_paths`. `os_read_only`: the files of the operating system. */
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

/** Keys that need a launcher program or root. Some of them need a supervisor started with `--sys`. */
export interface Privilege {
  readonly user?: string;
  readonly group?: string;
  readonly supplementaryGroups: readonly string[];
  /** The capabilities that the service keeps. Absent: those that its user has. */
  readonly capabilities?: readonly string[];
  readonly limits?: LimitsSpec;
  readonly isolation?: IsolationSpec;
  /** The files in `$CREDENTIALS_DIRECTORY` of the service: their absolute source paths, by file name. */
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

/** One service as the manifest declares it, with everything that a run of the service needs. */
export interface ServiceSpec {
  readonly id: ServiceId;
  readonly project: ProjectId;
  readonly name: string;
  readonly kind: 'service' | 'cron';
  /** The manifest version. With 3 a service does not start if a declared restriction cannot be enforced. */
  readonly schema: 2 | 3;
  /** The resolved path of the manifest. `directory` is the base of relative paths, and hooks run there. */
  readonly manifest: string;
  readonly directory: string;
  readonly launch: Launch;
  readonly workingDir: string;
  /** The absolute path of the directory for the data of the service; it is made before the first run. */
  readonly stateDir?: string;
  readonly dependsOn: readonly Dependency[];
  readonly env: EnvSpec;
  readonly restartPolicy: 'always' | 'on-failure' | 'never';
  readonly backoff: Backoff;
  readonly maxRestarts: number;
  /** Exit statuses and signals (`SIGTERM`) that count as success, in addition to 0. Absent: none. */
  readonly successExitCodes?: readonly (number | string)[];
  /** Present if a supervisor that was started with manifests ends when this service has ended for good. */
  readonly essential?: true;
  /** Present if the service may use the control socket although it is confined. */
  readonly control?: true;
  readonly stopSignal: string;
  readonly stopTimeout: Ms;
  /** The command that begins a stop. After it the supervisor sends `stopSignal`. */
  readonly stopCommand?: string;
  /** The limit of resident memory in bytes. A service above the limit for `maxMemoryFor` is restarted. */
  readonly maxMemory?: number;
  /** How long the memory may be above `maxMemory`. Present with `maxMemory`. */
  readonly maxMemoryFor?: Ms;
  readonly watch?: WatchSpec;
  readonly reload?: Reload;
  readonly hooks: Readonly<Partial<Record<HookName, Hook>>>;
  readonly cron?: CronSpec;
  readonly deployment: Deployment;
  readonly logs: LogsSpec;
  /** Whether the service is skipped. `true`: always. Text: a command; its exit status 0 skips the service. */
  readonly skip: boolean | string;
  readonly spawn: SpawnPolicy;
  readonly privilege: Privilege;
  /** The umask as four octal digits. Absent: the umask of the supervisor. */
  readonly umask?: string;
  /** The account for commands on behalf of the service, such as hooks (`docs/manifest.md`, "run_as"). */
  readonly runAs?: 'supervisor' | 'service';
  /** The sockets that the supervisor opens. The service gets them in this order as descriptors 3, 4, …. */
  readonly sockets?: readonly SocketSpec[];
  /** The receivers of alerts. The manifest declares them for all its services. */
  readonly alerts?: readonly AlertSpec[];
  /** A digest of all other fields in canonical order. Equal digests mean equal declarations. */
  readonly digest: string;
}
