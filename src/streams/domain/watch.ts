// Watches: observations that last while the state lists them, such as timers and probes. The list is a pure
// function of the state; a watch is known by its key, and closed when it is no longer listed.
import type { RequestId, RunId, ServiceId } from './ids.ts';
import type { CheckedPort } from './service/port.ts';
import type { FifoPair, ProcessRef } from './service/process.ts';
import type { Check } from './declared/health-check.ts';
import type { Readings } from './declared/manifest.ts';
import type { ServiceSpec, WatchSpec } from './declared/spec.ts';
import type { Instant, Ms } from './time.ts';

export type TimerName =
  | 'stability' // alive for `startup_stability_ms`: ready
  | 'backoff' // the next restart attempt is due
  | 'stop-timeout' // `stop_timeout` spent: SIGKILL
  | 'stop-verify' // `stop_verify_secs` spent: ERR0112
  | 'memory' // over `max_memory` for `max_memory_for`: a restart
  | 'changed' // watched files rest for `debounce`
  | 'proven' // 60 s of uninterrupted readiness: the restart count is cleared
  | 'cron-timeout' // `cron.timeout` spent
  | 'ready-timeout' // `total_timeout` of a check by `log` or `notify` spent: not ready
  | 'grace' // `grace_period` spent: the old run of a rollout stops
  | 'ttl'; // `--ttl` of a child spent: it stops

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
/** Emits `exited` once, when the main process ends, spawned or adopted. */
interface ExitWatch extends OfRun {
  readonly type: 'exit';
  readonly process: ProcessRef;
  /** The declared cgroup. Its memory events show an out-of-memory kill. */
  readonly cgroup?: string;
}
/** Emits `surveyed` with the run's living processes, at once and on every change, until none lives. */
export interface TreeWatch extends OfRun {
  readonly type: 'tree';
  /** FIFOs of the output. Absent for a child of `sup spawn`, which can end before its output is read. */
  readonly lane?: FifoPair;
  readonly process: ProcessRef;
  /** The cgroup, if only this run uses it. While it has a process, the run is not over. */
  readonly cgroup?: string;
}
/** Probes a run, one attempt at a time and the first at once; emits `probed` for each. */
export interface ProbeWatch extends OfRun {
  readonly type: 'probe';
  readonly process: ProcessRef;
  readonly spec: ServiceSpec;
  readonly check: Check;
  /** Present for `liveness`. */
  readonly liveness?: true;
  /** FIFOs of the output. Present for a check by `log`. */
  readonly lane?: FifoPair;
  /** The pauses. `starting`: from `startInterval` to `startIntervalMax`. `steady`: `afterReady`. */
  readonly pace: 'starting' | 'steady';
  /** A pause ends when a new socket listens on this port. Present for a URL or TCP at the pace `starting`. */
  readonly whenListening?: CheckedPort;
  /**
   * What must answer a URL or TCP address on this machine: by default a listener of the run. `candidate`: the
   * process that accepted the probe must be of the run. `anyone`: any process, such as a proxy.
   */
  readonly answerer?: 'candidate' | 'anyone';
}
/** Probes a rollout's new run or the switched traffic; emits `verified` for each attempt. */
interface VerifyWatch extends Omit<ProbeWatch, 'type'> {
  readonly type: 'verify';
}
/** Emits `notified` with what processes of the run report about it (sd_notify). */
export interface NotifyWatch extends OfRun {
  readonly type: 'notify';
  readonly process: ProcessRef;
}
/** Emits `probed` for `liveness`: passed at `WATCHDOG=1` of the run, silent if none comes within `limit`. */
interface WatchdogWatch extends OfRun {
  readonly type: 'watchdog';
  readonly limit: Ms;
}
/** `stop`: `stop_command`, at the beginning of a stop. */
export type CommandPurpose = 'skip' | 'pre_start' | 'switch' | 'stop';

/** Runs a command with a time limit, emits `command-ended` once. Closing the watch kills its process tree. */
interface CommandWatch extends OfRun {
  readonly type: 'command';
  readonly purpose: CommandPurpose;
  readonly command: string;
  readonly spec: ServiceSpec;
  readonly budget: Ms;
  /** The main process, for `stop_command`: it is in `SUP_PID`, and the command joins its network. */
  readonly process?: ProcessRef;
}
/** Emits `rang` once at `due`, or `clock-stepped` if the wall clock jumped back. */
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
/** Emits `weighed` at once, on notable changes, and repeatedly above `limit`, bytes. */
export interface MemoryWatch extends OfRun {
  readonly type: 'memory';
  readonly limit: number;
  readonly trees: readonly { readonly run: RunId; readonly process: ProcessRef }[];
}
/** Emits `measured` repeatedly while the run's memory is over `limit`, bytes, and once when it is not. */
interface ResidentWatch extends OfRun {
  readonly type: 'resident';
  readonly process: ProcessRef;
  readonly limit: number;
  /** The time between two measurements. */
  readonly every: Ms;
}
/** Emits `changed` for files, at most twice in `debounce`, and `unwatched` once if they cannot be watched. */
export interface FilesWatch extends Keyed, Omit<WatchSpec, 'action'> {
  readonly type: 'files';
  readonly service: ServiceId;
  /** The manifest's directory. Files are reported, and ignored, relative to it. */
  readonly directory: string;
}
/** Emits `traced` once, with the ancestry of the process that requests a child. */
interface TraceWatch extends Keyed {
  readonly type: 'trace';
  readonly request: RequestId;
  /** The accounts in `user` of services that may request children, to report their uids. */
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

/** All watches of one owner, a service or request. `observeWhile` compares their keys with the open ones. */
export interface Watching {
  readonly owner: string;
  readonly watches: readonly Watch[];
}
