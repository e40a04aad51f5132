// Watches: observations that last while the state lists them, such as timers and probes. The list is a pure
// function of the state. The key identifies a watch; a watch that is no longer listed is closed.
import type { RequestId, RunId, ServiceId } from './ids.ts';
import type { CheckedPort } from './service/port.ts';
import type { FifoPair, ProcessRef } from './service/process.ts';
import type { Check } from './declared/health-check.ts';
import type { Readings } from './declared/manifest.ts';
import type { ServiceSpec, WatchSpec } from './declared/spec.ts';
import type { Instant, Ms } from './time.ts';

export type TimerName =
  | 'stability' // the run has lived for `startup_stability_ms`: it is ready
  | 'backoff' // the next restart attempt is due
  | 'stop-timeout' // `stop_timeout` has passed: SIGKILL follows
  | 'stop-verify' // `stop_verify_secs` have passed: ERR0112
  | 'memory' // the memory was over `max_memory` for `max_memory_for`: a restart follows
  | 'changed' // no watched file has changed for `debounce`
  | 'proven' // ready for 60 s without interruption: the restart count is cleared
  | 'cron-timeout' // `cron.timeout` has passed
  | 'ready-timeout' // `total_timeout` of a check by `log` or `notify` has passed: the run is not ready
  | 'grace' // `grace_period` has passed: the old run of a rollout is stopped
  | 'ttl'; // `--ttl` of a child has passed: the child is stopped

interface Keyed {
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
/** Emits `exited` once, when the main process ends. The process was spawned or adopted. */
interface ExitWatch extends OfRun {
  readonly type: 'exit';
  readonly process: ProcessRef;
  /** The declared cgroup. Its memory events show whether Linux killed a process for lack of memory. */
  readonly cgroup?: string;
}
/** Emits `surveyed` with the living processes of the run, at once and at every change, until none lives. */
export interface TreeWatch extends OfRun {
  readonly type: 'tree';
  /**
   * The FIFO pair of the output. Absent for a child of `sup spawn`: a child can end before its output is
   * read.
   */
  readonly fifoPair?: FifoPair;
  readonly process: ProcessRef;
  /** The cgroup, if only this run uses it. While it has a process, the run is not over. */
  readonly cgroup?: string;
}
/** Probes a run at once and then repeatedly, with one attempt at a time; emits `probed` for each attempt. */
export interface ProbeWatch extends OfRun {
  readonly type: 'probe';
  readonly process: ProcessRef;
  readonly spec: ServiceSpec;
  readonly check: Check;
  /** Present if the check is the one in `liveness`. */
  readonly liveness?: true;
  /** The FIFO pair of the output. Present for a check by `log`. */
  readonly fifoPair?: FifoPair;
  /**
   * The pauses between attempts. `starting`: they grow from `startInterval` to `startIntervalMax`. `steady`:
   * each pause is `afterReady`.
   */
  readonly pace: 'starting' | 'steady';
  /**
   * A new socket that listens on this port ends a pause. Present for URL and TCP checks, while `starting`.
   */
  readonly whenListening?: CheckedPort;
  /**
   * Which process must answer at a URL or TCP address of this machine. Absent: a listener of the run.
   * `candidate`: the process that accepted the probe must belong to the run. `anyone`: any process, such as a
   * proxy.
   */
  readonly answerer?: 'candidate' | 'anyone';
}
/** Probes a rollout's new run or the switched traffic; emits `verified` for each attempt. */
interface VerifyWatch extends Omit<ProbeWatch, 'type'> {
  readonly type: 'verify';
}
/** Emits `notified` with the reports that processes of the run send about it (sd_notify). */
export interface NotifyWatch extends OfRun {
  readonly type: 'notify';
  readonly process: ProcessRef;
}
/** Emits `probed` for `liveness`: passed at each `WATCHDOG=1`, silent if none comes within `limit`. */
interface WatchdogWatch extends OfRun {
  readonly type: 'watchdog';
  readonly limit: Ms;
}
/** Why a command runs. `stop`: it is the `stop_command`, which runs at the begin of a stop. */
export type CommandPurpose = 'skip' | 'pre_start' | 'switch' | 'stop';

/** Runs a command with a time limit; emits `command-ended` once. Closing the watch kills its process tree. */
interface CommandWatch extends OfRun {
  readonly type: 'command';
  readonly purpose: CommandPurpose;
  readonly command: string;
  readonly spec: ServiceSpec;
  readonly budget: Ms;
  /**
   * For `stop_command`: the main process. Its pid is in `SUP_PID`; the command joins its network namespace.
   */
  readonly process?: ProcessRef;
}
/** Emits `rang` once, at `due`. Emits `clock-stepped` each time the wall clock was set back. */
export interface AlarmWatch extends Keyed {
  readonly type: 'alarm';
  readonly service: ServiceId;
  readonly due: Instant;
}
/** Emits `peaked` when the highest memory use of a scheduled run has grown. */
export interface PeakWatch extends OfRun {
  readonly type: 'peak';
  readonly process: ProcessRef;
}
/**
 * Emits `weighed` at once, at notable changes, and repeatedly while the memory is above `limit` (in bytes).
 */
export interface MemoryWatch extends OfRun {
  readonly type: 'memory';
  readonly limit: number;
  readonly trees: readonly { readonly run: RunId; readonly process: ProcessRef }[];
}
/**
 * Emits `measured` repeatedly while the memory of the run is above `limit` (in bytes), and once when the
 * memory is not above it.
 */
interface ResidentWatch extends OfRun {
  readonly type: 'resident';
  readonly process: ProcessRef;
  readonly limit: number;
  /** The time between two measurements. */
  readonly every: Ms;
}
/**
 * Emits `changed` when files change, at most twice in each `debounce`. Emits `unwatched` if files cannot be
 * watched.
 */
export interface FilesWatch extends Keyed, Omit<WatchSpec, 'action'> {
  readonly type: 'files';
  readonly service: ServiceId;
  /** The directory of the manifest. Reported paths and the patterns in `ignore` are relative to it. */
  readonly directory: string;
}
/** Emits `traced` once, with the ancestry of the process that requests a child. */
interface TraceWatch extends Keyed {
  readonly type: 'trace';
  readonly request: RequestId;
  /**
   * The accounts in the key `user` of all services that may request children. The watch reports the uids of
   * these accounts.
   */
  readonly users: readonly string[];
}
/** Reads and checks manifests for a request, then emits `manifests-loaded` once. */
interface ManifestsWatch extends Keyed {
  readonly type: 'manifests';
  readonly request: RequestId;
  readonly paths: readonly string[];
  readonly readings?: Readings;
}
/** Emits `request-expired` once, at the time limit of an unanswered request. */
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
  | NotifyWatch
  | WatchdogWatch
  | CommandWatch
  | AlarmWatch
  | PeakWatch
  | MemoryWatch
  | ResidentWatch
  | FilesWatch
  | TraceWatch
  | ManifestsWatch
  | DeadlineWatch;

/**
 * All watches of one owner, which is a service or a request. `observeWhile` opens and closes watches so that
 * exactly these are open.
 */
export interface Watching {
  readonly owner: string;
  readonly watches: readonly Watch[];
}
