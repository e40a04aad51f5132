// The machine-readable documents (`docs/commands.md`, "Documents"). Keys are in snake_case; an unknown value
// is `null`, its key never absent.
import type { Dependency } from '../../domain/declared/spec.ts';
import type { RolloutStep } from '../../domain/service/rollout.ts';
import type { CronRun } from '../../domain/service/service-run.ts';
import type {
  ErrorDocument,
  ExitDocument,
  FailureDocument,
  HealthWord,
  PortDocument,
  StateWord,
  TimeText,
  UndeliveredAlerts,
  Whole,
} from './basic-documents.ts';
import type { SpawnDocument } from './child-documents.ts';

export { STATE_WORDS } from './basic-documents.ts';
export type {
  ErrorDocument,
  ExitDocument,
  FailureDocument,
  HealthWord,
  ProblemDocument,
  StateWord,
  UndeliveredAlerts,
} from './basic-documents.ts';

export interface ServiceDocument {
  readonly name: string;
  readonly kind: 'service' | 'cron';
  readonly wanted: 'up' | 'down';
  readonly state: StateWord;
  readonly health: HealthWord;
  readonly reason: string | null;
  readonly error: ErrorDocument | null;
  /** The last output of the run that caused the problem. */
  readonly evidence: readonly string[];
  /** What the user can do about the problem. */
  readonly next_step: string | null;
  readonly because_of: readonly string[];
  readonly pid: Whole | null;
  readonly run: Whole;
  readonly started_at: TimeText | null;
  readonly ready_at: TimeText | null;
  /** Automatic starts since this count was reset; at `max_restarts` there are no more. */
  readonly restarts: Whole;
  /** Automatic starts since the supervisor knows the service. */
  readonly restarts_total: Whole;
  readonly max_restarts: Whole;
  readonly next_attempt_at: TimeText | null;
  readonly next_run_at: TimeText | null;
  readonly last_exit: ExitDocument | null;
  readonly last_failure: FailureDocument | null;
  /** The service runs with an older declaration; the newer one needs a restart. */
  readonly awaits_restart: boolean;
  readonly cpu_percent: number | null;
  readonly rss_bytes: Whole | null;
  readonly slot: string | null;
  readonly rollout: RolloutDocument | null;
  readonly deploy: DeployDocument;
}

/** The last rollout. `failed`: its declaration was not applied since, or the traffic is unknown. */
export interface DeployDocument {
  readonly failed: boolean;
  readonly error: ErrorDocument | null;
  readonly at: TimeText | null;
  /** A user rolled the service back: the manifest counts again at the next apply or restart. */
  readonly rolled_back: boolean;
}

/** One of the two runs during a rollout: the old or the new one. */
export interface RunDocument {
  /** The number of the run; `null` for a new run that has not started. */
  readonly run: Whole | null;
  readonly pid: Whole | null;
  readonly state: StateWord;
  readonly slot: string | null;
}

/** A step of a rollout and its duration; for the present step the time so far. */
export interface StageDocument {
  readonly step: RolloutStep;
  readonly at: TimeText;
  readonly took_ms: Whole;
}

export interface RolloutDocument {
  readonly strategy: 'rolling' | 'blue-green';
  readonly step: RolloutStep;
  /** When the present step of the rollout began; `step_ms` is the time since. */
  readonly since: TimeText;
  readonly step_ms: Whole;
  readonly started_at: TimeText;
  readonly steps: readonly StageDocument[];
  readonly old: RunDocument;
  readonly candidate: RunDocument;
}

export interface RolloutRecordDocument {
  readonly strategy: 'rolling' | 'blue-green';
  readonly outcome: 'done' | 'failed' | 'called-off';
  readonly error: ErrorDocument | null;
  readonly started_at: TimeText;
  readonly ended_at: TimeText;
  readonly took_ms: Whole;
  readonly steps: readonly StageDocument[];
  readonly old_run: Whole;
  readonly candidate_run: Whole | null;
  readonly slot: string | null;
}

/** A service with `replicas`, as far as its instances are in the document. */
export interface GroupDocument {
  readonly name: string;
  /** @minimum 1 */
  readonly replicas: Whole;
  /**
   * How many of them are running and not unhealthy.
   * @minimum 0
   */
  readonly ready: Whole;
  readonly state: StateWord;
  readonly health: HealthWord;
  /** The names of the instances, which are services of the same project. */
  readonly instances: readonly string[];
}

export interface ProjectDocument {
  readonly id: string;
  readonly name: string;
  readonly manifest: string | null;
  readonly services: readonly ServiceDocument[];
  /** The services with `replicas`. Absent if the project has none, and in the live view. */
  readonly groups?: readonly GroupDocument[];
}

/** Through the C library, or through Node if that cannot be called. */
export type ProcessStart = 'posix_spawn' | 'node';

export interface SupervisorDocument {
  readonly running: boolean;
  readonly pid: Whole | null;
  readonly version: string | null;
  readonly since: TimeText | null;
  /** How often the guardian restarted the supervisor; `null` without a guardian. */
  readonly restarts: Whole | null;
  readonly process_start: ProcessStart | null;
  readonly warnings: readonly string[];
}

/** A line of `sup status --watch`, with `--json` or into a pipe: all services, or those that changed. */
export interface ViewDocument {
  readonly schema: 'sup.view/1';
  /** True if it has all selected services, false if it has those that changed since the line before. */
  readonly full: boolean;
  readonly projects: readonly ProjectDocument[];
  /** The removed services, as `project/service`. */
  readonly gone: readonly string[];
}

/** The document of `sup status --json`. */
export interface StatusDocument {
  readonly schema: 'sup.status/1';
  readonly supervisor: SupervisorDocument;
  readonly projects: readonly ProjectDocument[];
}

export interface TransitionDocument {
  readonly at: TimeText;
  readonly from: StateWord;
  readonly to: StateWord;
  readonly cause: string;
  readonly reason: string | null;
}

export interface CronRunDocument {
  readonly due_at: TimeText;
  readonly result: CronRun['result'];
  readonly started_at: TimeText | null;
  readonly ended_at: TimeText | null;
  readonly exit: ExitDocument | null;
  readonly peak_memory_bytes: Whole | null;
  /** Why it did not begin at its time; absent if it did. */
  readonly by?: 'queued' | 'caught-up' | 'delayed';
}

export interface SpreadDocument {
  readonly min: number;
  readonly mean: number;
  readonly max: number;
}

/** Samples combined into a point; `until` is the time of the last one. */
export interface PointDocument {
  readonly at: TimeText;
  readonly until: TimeText;
  readonly samples: Whole;
  /** CPU usage in percent of one core. */
  readonly cpu_percent: SpreadDocument | null;
  readonly rss_bytes: SpreadDocument;
}

/** The resource use of a service, as points, oldest first; none where samples lack. */
export interface SamplesDocument {
  readonly since: TimeText;
  readonly until: TimeText;
  readonly points: readonly PointDocument[];
}

/** A process of a service at the time of the last sample. */
export interface ProcessDocument {
  readonly pid: Whole;
  readonly ppid: Whole;
  /** The process's name in the kernel; `null` if it has ended. */
  readonly name: string | null;
  /** With passwords masked; `null` if it has ended or belongs to another user. */
  readonly command: readonly string[] | null;
  readonly cpu_ms: number;
  readonly rss_bytes: Whole;
}

/** A service as `sup inspect --json` shows it. */
export interface InspectedService extends ServiceDocument {
  readonly project: string;
  /** The profiles of the service, and those with which its manifest was read; absent: none. */
  readonly profiles?: readonly string[];
  readonly chosen_profiles?: readonly string[];
  /** The files of its manifest, each overriding those before it; absent if there is only one. */
  readonly manifest_files?: readonly string[];
  readonly command: string | readonly string[];
  readonly working_dir: string;
  readonly depends_on: readonly {
    readonly service: string;
    readonly condition: Dependency['condition'];
    readonly required: boolean;
  }[];
  readonly dependents: readonly string[];
  readonly env_keys: readonly string[];
  readonly logs: {
    readonly sink: string;
    readonly file: string | null;
    readonly max_bytes: Whole;
    readonly max_files: Whole;
  };
  readonly health_check: Readonly<Record<string, string | number>> | null;
  readonly hooks: readonly string[];
  /** Further keys that the manifest sets, with dots, and their values; absent if there are none. */
  readonly declared?: Readonly<Record<string, string>>;
  readonly history: readonly TransitionDocument[];
  readonly cron_runs: readonly CronRunDocument[];
  /** The last ten rollouts, oldest first. */
  readonly rollouts: readonly RolloutRecordDocument[];
  readonly skipped_isolation: readonly string[];
  /** Alerts about the present incident that receivers did not get; absent if there is none. */
  readonly undelivered_alerts?: UndeliveredAlerts;
  /** Ports that the service, or the supervisor for it, listens on; `null` if that is not known. */
  readonly listening: readonly PortDocument[] | null;
  readonly spawn: SpawnDocument;
  /** The processes of the service; `null` unless `snapshot_mode` in `status` is `detailed`. */
  readonly processes: readonly ProcessDocument[] | null;
  /** The samples of the service; `null` unless requested with `--window`. */
  readonly samples: SamplesDocument | null;
}

export interface InspectDocument {
  readonly schema: 'sup.inspect/1';
  readonly supervisor: SupervisorDocument;
  readonly services: readonly InspectedService[];
}
