// The machine-readable documents (`docs/commands.md`, "Documents"). Keys are in snake_case. A key with an
// unknown value is present, and its value is `null`.
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
  /** The last output of the run that `error` is about. */
  readonly evidence: readonly string[];
  /** What the user can do about the problem. */
  readonly next_step: string | null;
  readonly because_of: readonly string[];
  readonly pid: Whole | null;
  readonly run: Whole;
  readonly started_at: TimeText | null;
  readonly ready_at: TimeText | null;
  /** The number of automatic starts since this count was last reset. At `max_restarts`, the breaker opens. */
  readonly restarts: Whole;
  /** The number of automatic starts since the service was registered. */
  readonly restarts_total: Whole;
  readonly max_restarts: Whole;
  readonly next_attempt_at: TimeText | null;
  readonly next_run_at: TimeText | null;
  readonly last_exit: ExitDocument | null;
  readonly last_failure: FailureDocument | null;
  /** True if the service runs with an older declaration, because the newer declaration needs a restart. */
  readonly awaits_restart: boolean;
  readonly cpu_percent: number | null;
  readonly rss_bytes: Whole | null;
  readonly slot: string | null;
  readonly rollout: RolloutDocument | null;
  readonly deploy: DeployDocument;
}

/**
 * The last rollout. `failed`: true if the rollout failed and its declaration was not applied again, or if it
 * is unknown which run has the traffic.
 */
export interface DeployDocument {
  readonly failed: boolean;
  readonly error: ErrorDocument | null;
  readonly at: TimeText | null;
  /**
   * True if a user rolled the service back. The next apply or restart uses the declaration in the manifest
   * again.
   */
  readonly rolled_back: boolean;
}

/** The old run or the new run of a rollout. */
export interface RunDocument {
  /** The number of the run; `null` for a new run that has not started yet. */
  readonly run: Whole | null;
  readonly pid: Whole | null;
  readonly state: StateWord;
  readonly slot: string | null;
}

/** A step of a rollout and its duration. For the present step, the duration is the time so far. */
export interface StageDocument {
  readonly step: RolloutStep;
  readonly at: TimeText;
  readonly took_ms: Whole;
}

export interface RolloutDocument {
  readonly strategy: 'rolling' | 'blue-green';
  readonly step: RolloutStep;
  /** The time when the present step of the rollout began. `step_ms`: the time since then. */
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

/** A service with `replicas`. The numbers are about the instances in this document. */
export interface GroupDocument {
  readonly name: string;
  /** @minimum 1 */
  readonly replicas: Whole;
  /**
   * The number of instances that are running and not unhealthy.
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
  /** The services with `replicas`. Absent if the project has none, and always in the live view. */
  readonly groups?: readonly GroupDocument[];
}

/**
 * The way in which processes are started: through the C library, or by Node if the C library cannot be
 * called.
 */
export type ProcessStart = 'posix_spawn' | 'node';

export interface SupervisorDocument {
  readonly running: boolean;
  readonly pid: Whole | null;
  readonly version: string | null;
  readonly since: TimeText | null;
  /** The number of restarts of the supervisor by its guardian; `null` if there is no guardian. */
  readonly restarts: Whole | null;
  readonly process_start: ProcessStart | null;
  readonly warnings: readonly string[];
}

/** A line of `sup status --watch` with `--json` or in a pipe. It has all services, or those that changed. */
export interface ViewDocument {
  readonly schema: 'sup.view/1';
  /**
   * True if the line has all selected services, false if it has those that changed since the previous line.
   */
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
  /** The reason why the run did not begin at its scheduled time. Absent if it began at this time. */
  readonly by?: 'queued' | 'caught-up' | 'delayed';
}

export interface SpreadDocument {
  readonly min: number;
  readonly mean: number;
  readonly max: number;
}

/** Several samples combined into one point. `until`: the time of the last sample. */
export interface PointDocument {
  readonly at: TimeText;
  readonly until: TimeText;
  readonly samples: Whole;
  /** CPU usage in percent of one core. */
  readonly cpu_percent: SpreadDocument | null;
  readonly rss_bytes: SpreadDocument;
}

/** The resource use of a service as points, oldest first. A period without samples has no points. */
export interface SamplesDocument {
  readonly since: TimeText;
  readonly until: TimeText;
  readonly points: readonly PointDocument[];
}

/** A process of a service at the time of the last sample. */
export interface ProcessDocument {
  readonly pid: Whole;
  readonly ppid: Whole;
  /** The name that Linux shows for the process; `null` if the process has ended. */
  readonly name: string | null;
  /** The command line with passwords masked; `null` if the process has ended or belongs to another user. */
  readonly command: readonly string[] | null;
  readonly cpu_ms: number;
  readonly rss_bytes: Whole;
}

/** A service as `sup inspect --json` shows it. */
export interface InspectedService extends ServiceDocument {
  readonly project: string;
  /**
   * The profiles of the service. Absent if it has none. `chosen_profiles`: the profiles with which its
   * manifest was read.
   */
  readonly profiles?: readonly string[];
  readonly chosen_profiles?: readonly string[];
  /** The files of the manifest. Each file overrides the files before it. Absent if there is only one file. */
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
  /** The other keys that the manifest sets, as dotted paths, with their values. Absent if there are none. */
  readonly declared?: Readonly<Record<string, string>>;
  readonly history: readonly TransitionDocument[];
  readonly cron_runs: readonly CronRunDocument[];
  /** The last ten rollouts, oldest first. */
  readonly rollouts: readonly RolloutRecordDocument[];
  readonly skipped_isolation: readonly string[];
  /** Alerts about the present incident that receivers did not get; absent if there is none. */
  readonly undelivered_alerts?: UndeliveredAlerts;
  /**
   * The ports on which the service listens, or on which the supervisor listens for it; `null` if they are not
   * known.
   */
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
