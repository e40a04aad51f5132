// Watches: keep looking at this for as long as the state says so. They are a pure function of state; equal keys are
// the same watch. When the state no longer lists one, its subscription is closed: nothing is ever cancelled by hand.
import type { RequestId, RunId, ServiceId } from './ids.ts';
import type { Lane, ProcessRef } from './service/process.ts';
import type { HealthCheck, ServiceSpec } from './declared/spec.ts';
import type { Instant, Ms } from './time.ts';

/** What a service's timer stands for. */
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
  /** Identity: equal keys, same watch. */
  readonly key: string;
}
interface OfRun extends Keyed {
  readonly service: ServiceId;
  readonly run: RunId;
}

/** Rings once, at `due`, with `elapsed`. */
export interface TimerWatch extends OfRun {
  readonly type: 'timer';
  readonly timer: TimerName;
  readonly due: Instant;
}
/** The end of the leader, spawned by us or adopted: `exited`, once. */
interface ExitWatch extends OfRun {
  readonly type: 'exit';
  readonly process: ProcessRef;
  /** Of an adopted process: who is no parent of it asks there whether memory was what it ended for. */
  readonly cgroup?: string;
}
/** Who is alive of a run's tree: `surveyed` whenever that changes, at once the first time; then completes when none is. */
export interface TreeWatch extends OfRun {
  readonly type: 'tree';
  /** Absent of a child, whose output nobody waits for. */
  readonly lane?: Lane;
  readonly process: ProcessRef;
  /** The cgroup that this run alone uses: while it has a member, the end of the tree is not proven. */
  readonly cgroup?: string;
}
/** Probe attempts, one at a time: the first at once, then pauses. `probed` for each. */
export interface ProbeWatch extends OfRun {
  readonly type: 'probe';
  readonly process: ProcessRef;
  readonly spec: ServiceSpec;
  readonly check: HealthCheck;
  /** `starting`: pauses of `startInterval`, doubling up to `interval`. `steady`: a pause of `afterReady`, or `interval`, first, and always. */
  readonly pace: 'starting' | 'steady';
  /**
   * Which process must answer a URL on this machine. `candidate`: a process of the run must accept the very connection;
   * `anyone`: a proxy may answer. Absent: a process of the run must listen there.
   */
  readonly answerer?: 'candidate' | 'anyone';
}
/** Probe attempts of a rollout, at the pace of a start: `verified` for each. */
interface VerifyWatch extends Omit<ProbeWatch, 'type'> {
  readonly type: 'verify';
}
/** A budgeted command; its process tree is killed when the watch closes. `command-ended`, once. */
interface CommandWatch extends OfRun {
  readonly type: 'command';
  readonly purpose: 'skip' | 'pre_start' | 'switch';
  readonly command: string;
  readonly spec: ServiceSpec;
  readonly budget: Ms;
}
/** A wall-clock alarm, re-armed at least once a minute so that a clock step cannot hang it: `rang`, once; `clock-stepped` when the clock jumped back. */
export interface AlarmWatch extends Keyed {
  readonly type: 'alarm';
  readonly service: ServiceId;
  readonly due: Instant;
}
/** The memory a scheduled run takes at the most: `peaked` whenever it has grown. */
export interface PeakWatch extends OfRun {
  readonly type: 'peak';
  readonly process: ProcessRef;
}
/** What a service and its children hold of memory: `weighed` at once, and whenever it is another amount or more than `limit`. */
export interface MemoryWatch extends OfRun {
  readonly type: 'memory';
  readonly limit: number;
  readonly trees: readonly { readonly run: RunId; readonly process: ProcessRef }[];
}
/** Which process asks for a child: `traced`, once. */
interface TraceWatch extends Keyed {
  readonly type: 'trace';
  readonly request: RequestId;
  /** Accounts that dynamic services are declared with: their uids are needed. */
  readonly users: readonly string[];
}
/** Loads manifests on behalf of a request: `manifests-loaded`, once. */
interface ManifestsWatch extends Keyed {
  readonly type: 'manifests';
  readonly request: RequestId;
  readonly paths: readonly string[];
}
/** A request's own time limit: `request-expired`, once. */
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

/** The watches of one owner (a service or a request) after a step; `observeWhile` diffs them by key. */
export interface Watching {
  readonly owner: string;
  readonly watches: readonly Watch[];
}
