// Watches: observations that last while the state lists them, such as timers and probes. The list is a pure
// function of the state; watches with equal keys are the same watch. A watch that is no longer listed is
// closed automatically.
import type { RequestId, RunId, ServiceId } from './ids.ts';
import type { FifoPair, ProcessRef } from './service/process.ts';
import type { HealthCheck, ServiceSpec } from './declared/spec.ts';
import type { Instant, Ms } from './time.ts';

/** What a timer of a service is for. */
export type TimerName =
  | 'stability' // alive for `startup_stability_ms`: ready
  | 'backoff' // the next restart attempt is due
  | 'stop-timeout' // `stop_timeout` spent: SIGKILL
  | 'stop-verify' // `stop_verify_secs` spent: ERR0112
  | 'proven' // 60 s of uninterrupted readiness: the restart count is cleared
  | 'cron-timeout' // `cron.timeout` spent
  | 'grace' // `grace_period` spent: the old run of a rollout stops
  | 'ttl'; // `--ttl` of a child spent: it stops

interface Keyed {
  /** Identifies the watch: two watches with equal keys are the same. */
  readonly key: string;
}
interface OfRun extends Keyed {
  readonly service: ServiceId;
  readonly run: RunId;
}

/** Emits `elapsed` once, when the timer ends at `due`. */
export interface TimerWatch extends OfRun {
  readonly type: 'timer';
  readonly timer: TimerName;
  readonly due: Instant;
}
/**
 * Emits `exited` once, when the main process of the run ends. The supervisor may have spawned it or adopted
 * it from the previous supervisor.
 */
interface ExitWatch extends OfRun {
  readonly type: 'exit';
  readonly process: ProcessRef;
  /**
   * The cgroup that the run's service declares. Its memory events show whether the kernel killed a process
   * for lack of memory.
   */
  readonly cgroup?: string;
}
/**
 * Emits `surveyed` with the living processes of a run's process tree: at once, then on every change.
 * Completes when no process is alive.
 */
export interface TreeWatch extends OfRun {
  readonly type: 'tree';
  /**
   * The FIFO pair that the run writes its output into. Absent for a child process: its end does not wait
   * for its output.
   */
  readonly lane?: FifoPair;
  readonly process: ProcessRef;
  /** The cgroup, if only this run uses it. While it has a process, the run does not count as over. */
  readonly cgroup?: string;
}
/**
 * Probes the health of a run, one attempt at a time and the first at once; emits `probed` for each attempt.
 */
export interface ProbeWatch extends OfRun {
  readonly type: 'probe';
  readonly process: ProcessRef;
  readonly spec: ServiceSpec;
  readonly check: HealthCheck;
  /**
   * The pause between two attempts. `starting`: `startInterval`, which doubles up to `interval`. `steady`:
   * `afterReady`, or else `interval`, also before the first attempt.
   */
  readonly pace: 'starting' | 'steady';
  /**
   * Which process must answer a URL on this machine. `candidate`: a process of the run must accept the
   * connection of the probe itself. `anyone`: any process may, such as a proxy. Absent: a process of the run
   * must listen there.
   */
  readonly answerer?: 'candidate' | 'anyone';
}
/**
 * Probes the new run of a rollout (`candidate_health_check`) or the traffic after the switch
 * (`switch_verify`), at the pace `starting`; emits `verified` for each attempt.
 */
interface VerifyWatch extends Omit<ProbeWatch, 'type'> {
  readonly type: 'verify';
}
/**
 * Runs a command with a time limit and emits `command-ended` once. Closing the watch kills the command's
 * process tree.
 */
interface CommandWatch extends OfRun {
  readonly type: 'command';
  readonly purpose: 'skip' | 'pre_start' | 'switch';
  readonly command: string;
  readonly spec: ServiceSpec;
  readonly budget: Ms;
}
/**
 * A wall-clock alarm: emits `rang` once at `due`, or `clock-stepped` if the clock jumped back. The timer is
 * set again at least once a minute, so that a clock step cannot delay the alarm.
 */
export interface AlarmWatch extends Keyed {
  readonly type: 'alarm';
  readonly service: ServiceId;
  readonly due: Instant;
}
/** Emits `peaked` whenever the highest memory use of a scheduled run has grown. */
export interface PeakWatch extends OfRun {
  readonly type: 'peak';
  readonly process: ProcessRef;
}
/**
 * Emits `weighed` with the memory of a service and its children: at once, when it changes noticeably, and
 * repeatedly while it is above `limit` (bytes).
 */
export interface MemoryWatch extends OfRun {
  readonly type: 'memory';
  readonly limit: number;
  readonly trees: readonly { readonly run: RunId; readonly process: ProcessRef }[];
}
/** Emits `traced` once, with the ancestry of the process that requests a child. */
interface TraceWatch extends Keyed {
  readonly type: 'trace';
  readonly request: RequestId;
  /**
   * The accounts in `user` of services that may request children; the trace reports the uid of each account.
   */
  readonly users: readonly string[];
}
/** Reads and checks manifests for a request, then emits `manifests-loaded` once. */
interface ManifestsWatch extends Keyed {
  readonly type: 'manifests';
  readonly request: RequestId;
  readonly paths: readonly string[];
}
/** Emits `request-expired` once, if the request was not answered within its time limit. */
interface DeadlineWatch extends Keyed {
  readonly type: 'deadline';
  readonly request: RequestId;
  readonly due: Instant;
}

export type Watch =
  | TimerWatch
  | ExitWatch
  | TreeWatch
  | ProbeWatch
  | VerifyWatch
  | CommandWatch
  | AlarmWatch
  | PeakWatch
  | MemoryWatch
  | TraceWatch
  | ManifestsWatch
  | DeadlineWatch;

/**
 * All watches that one owner (a service or a request) needs after an event was processed. `observeWhile`
 * compares their keys with those of the open watches.
 */
export interface Watching {
  readonly owner: string;
  readonly watches: readonly Watch[];
}
