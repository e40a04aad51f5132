// Watches: observations that last as long as the state lists them. The list is a pure function of the state;
// equal keys mean the same watch. When the state no longer lists a watch, its subscription is closed, so no
// watch is ever cancelled by hand.
import type { RequestId, RunId, ServiceId } from './ids.ts';
import type { FifoPair, ProcessRef } from './service/process.ts';
import type { HealthCheck, ServiceSpec } from './declared/spec.ts';
import type { Instant, Ms } from './time.ts';

/** The purpose of a service's timer. */
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
  /** Identifies the watch: equal keys mean the same watch. */
  readonly key: string;
}
interface OfRun extends Keyed {
  readonly service: ServiceId;
  readonly run: RunId;
}

/** Emits `elapsed` once, at `due`. */
export interface TimerWatch extends OfRun {
  readonly type: 'timer';
  readonly timer: TimerName;
  readonly due: Instant;
}
/** Emits `exited` once, when the leader ends, whether spawned or adopted. */
interface ExitWatch extends OfRun {
  readonly type: 'exit';
  readonly process: ProcessRef;
  /**
   * The cgroup that the run declares. Its memory events show whether the kernel killed a process for lack of
   * memory.
   */
  readonly cgroup?: string;
}
/**
 * Emits `surveyed` with the living processes of a run's tree: at once, then on every change. Completes when
 * none is alive.
 */
export interface TreeWatch extends OfRun {
  readonly type: 'tree';
  /** The FIFO pair that the run writes into. Absent for a child: its end does not wait for its output. */
  readonly lane?: FifoPair;
  readonly process: ProcessRef;
  /** The cgroup, if only this run uses it. While it has a member, the run is not verified to be over. */
  readonly cgroup?: string;
}
/** Probes a run, one attempt at a time and the first at once; emits `probed` for each. */
export interface ProbeWatch extends OfRun {
  readonly type: 'probe';
  readonly process: ProcessRef;
  readonly spec: ServiceSpec;
  readonly check: HealthCheck;
  /**
   * The pauses between attempts. `starting`: `startInterval`, doubling up to `interval`. `steady`:
   * `afterReady`, or `interval`, also before the first attempt.
   */
  readonly pace: 'starting' | 'steady';
  /**
   * Which process must answer a URL on this machine. `candidate`: a process of the run must accept the
   * probe's own connection. `anyone`: any process may, such as a proxy. Absent: a process of the run must
   * listen there.
   */
  readonly answerer?: 'candidate' | 'anyone';
}
/**
 * Probes a candidate for `candidate_health_check` or `switch_verify`, at the pace `starting`; emits
 * `verified` for each attempt.
 */
interface VerifyWatch extends Omit<ProbeWatch, 'type'> {
  readonly type: 'verify';
}
/**
 * Runs a command with a time limit and emits `command-ended` once. Closing the watch kills its process tree.
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
/** Emits `peaked` whenever the peak memory of a scheduled run has grown. */
export interface PeakWatch extends OfRun {
  readonly type: 'peak';
  readonly process: ProcessRef;
}
/**
 * Emits `weighed` with the memory of a service and its children: at once, when it changes noticeably, and
 * again and again while it is above `limit` (bytes).
 */
export interface MemoryWatch extends OfRun {
  readonly type: 'memory';
  readonly limit: number;
  readonly trees: readonly { readonly run: RunId; readonly process: ProcessRef }[];
}
/** Emits `traced` once, with the process that requests a child. */
interface TraceWatch extends Keyed {
  readonly type: 'trace';
  readonly request: RequestId;
  /** The `user` accounts of dynamic services; the trace reports the uid of each. */
  readonly users: readonly string[];
}
/** Loads manifests for a request and emits `manifests-loaded` once. */
interface ManifestsWatch extends Keyed {
  readonly type: 'manifests';
  readonly request: RequestId;
  readonly paths: readonly string[];
}
/** Emits `request-expired` once, when the time limit of a request is reached. */
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
 * The watches of one owner (a service or a request) after an event was processed; `observeWhile` compares
 * them by key.
 */
export interface Watching {
  readonly owner: string;
  readonly watches: readonly Watch[];
}
