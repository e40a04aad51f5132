// Events: facts in the past tense. Those about a process carry a run number, by which late news of an ended
// run is dropped.
import type { Command } from './command.ts';
import type { Closing } from './effect.ts';
import type { Daemon, Evidence, ServiceError } from './errors/error.ts';
import type { Unbegun } from './handed-commands.ts';
import type { ExitStatus } from './service/exit.ts';
import type { ProjectId, RequestId, RunId, ServiceId } from './ids.ts';
import type { LoadResult, Reading, Scales } from './declared/manifest.ts';
import type { Ancestry } from './service/ancestry.ts';
import type { PortConflict } from './service/port.ts';
import type { ProcessRef } from './service/process.ts';
import type { Skipped } from './service/service-run.ts';
import type { Service } from './service/service.ts';
import type { SelfReport } from './service/service-state.ts';
import type { Settings } from './declared/settings.ts';
import type { Instant, Ms } from './time.ts';
import type { HookName } from './declared/spec.ts';
import type { CommandPurpose, TimerName } from './watch.ts';

/**
 * `unreachable`: no connection (ERR0022). `timed-out`: no answer (ERR0023). `unhealthy`: a bad one (ERR0104).
 */
export type ProbeResult =
  | { readonly tag: 'passed' }
  | { readonly tag: 'unreachable'; readonly detail: string }
  | { readonly tag: 'timed-out' }
  | { readonly tag: 'unhealthy'; readonly detail: string }
  /** No `WATCHDOG=1` came within the time of the watchdog (ERR0024). */
  | { readonly tag: 'silent' }
  /** The probe passed, but a process outside the service answered (ERR0105). */
  | { readonly tag: 'stranger'; readonly taken: PortConflict };

/** `over-budget`: the command reached its time limit and was killed. */
export type CommandOutcome =
  | {
      readonly tag: 'ended';
      readonly status: ExitStatus;
      readonly evidence: Evidence;
      /** The command was not run: a kernel feature that its service declares could not be set up. */
      readonly refused?: ServiceError;
    }
  | { readonly tag: 'over-budget' };

interface Requested {
  readonly type: 'requested';
  readonly request: RequestId;
  readonly command: Command;
  /** The program that asked, such as `dashboard`; absent for the command line. */
  readonly origin?: string;
}

/** A registered manifest and the result of reading it. */
interface Registration {
  readonly path: string;
  readonly load: LoadResult;
  readonly reading?: Reading;
}

/** A run that outlived the previous supervisor, found by its run tag in process environments. */
export interface Found {
  readonly service: ServiceId;
  readonly run: RunId;
  readonly process: ProcessRef;
  /** When the process started, computed with the present wall clock. */
  readonly since?: Instant;
  /** The main process has ended; `process` is the oldest one still alive. */
  readonly orphaned?: true;
  /** Present for a child that the service requested, not for a run of the service. */
  readonly child?: true;
}

/** An event about one run of a service: number `run`. */
export type ServiceNews = { readonly service: ServiceId } & (
  | {
      readonly type: 'command-ended';
      readonly run: RunId;
      readonly purpose: CommandPurpose;
      readonly outcome: CommandOutcome;
    }
  /** `skipped`: declared isolation that the kernel refused and the run continues without. */
  | {
      readonly type: 'spawned';
      readonly run: RunId;
      readonly process: ProcessRef;
      readonly skipped?: readonly Skipped[];
    }
  | { readonly type: 'spawn-failed'; readonly run: RunId; readonly error: ServiceError }
  | { readonly type: 'exited'; readonly run: RunId; readonly status: ExitStatus }
  /** `liveness`: a result of `health_check.liveness`, not of the health check. */
  | {
      readonly type: 'probed';
      readonly run: RunId;
      readonly result: ProbeResult;
      readonly liveness?: true;
    }
  /** The run reports its own state (sd_notify). */
  | { readonly type: 'notified'; readonly run: RunId; readonly report: SelfReport }
  /** A probe result of `candidate_health_check` or `switch_verify`; `run` is the new run of the rollout. */
  | { readonly type: 'verified'; readonly run: RunId; readonly result: ProbeResult }
  | { readonly type: 'elapsed'; readonly run: RunId; readonly timer: TimerName }
  /** A process scan: the run's living processes. If there are none, it is over; `evidence` is its output. */
  | {
      readonly type: 'surveyed';
      readonly run: RunId;
      readonly alive: readonly ProcessRef[];
      /**
       * Processes that only the cgroup connects to the run; read only when all other processes have ended.
       */
      readonly unproven?: readonly ProcessRef[];
      readonly evidence: Evidence;
      /** Those processes of `alive` that have left the session of the run. */
      readonly elsewhere?: readonly Daemon[];
      /** The port that the run could not listen on, and its holder, if the output reports one. */
      readonly taken?: PortConflict;
    }
  /** A hook ended. Changes no state; a failure of the hook is logged. */
  | {
      readonly type: 'hook-ended';
      readonly run: RunId;
      readonly name: HookName;
      readonly outcome: CommandOutcome;
    }
  | { readonly type: 'peaked'; readonly run: RunId; readonly peakBytes: number }
  /** The memory that the service and its children use together. */
  | { readonly type: 'weighed'; readonly run: RunId; readonly bytes: number }
  /** The resident memory of the run, compared with `max_memory`. */
  | { readonly type: 'measured'; readonly run: RunId; readonly bytes: number }
  /** A watched file was made, changed or removed. */
  | { readonly type: 'changed'; readonly file: string }
  /** Files of `watch` cannot be watched (ERR0123). */
  | { readonly type: 'unwatched'; readonly file: string; readonly detail: string }
  | { readonly type: 'rang'; readonly due: Instant }
  | { readonly type: 'clock-stepped' }
);

export type Event =
  /** The first event: settings, registered manifests, and the recorded services. */
  | {
      readonly type: 'booted';
      readonly settings: Settings;
      readonly registered: readonly Registration[];
      readonly restored: readonly Service[];
      /** Live runs, found by their run tags. They count more than the recorded state, which may be older. */
      readonly found: readonly Found[];
      /** True if the machine was not rebooted since the state was recorded. */
      readonly sameBoot: boolean;
      /** A user shut the supervisor down and started nothing since; saved states may not show that. */
      readonly shutDown?: true;
      /** The numbers of instances that `sup scale` has set; absent: none. */
      readonly scales?: Scales;
      /** Registered projects without their state file, which is lost. */
      readonly unrecorded?: readonly ProjectId[];
      readonly warnings: readonly string[];
      /** After an upgrade or re-exec: this program takes over the state and the pending events. */
      readonly continued?: true;
      /** Runs that the previous program was about to spawn. */
      readonly unbegun?: readonly Unbegun[];
      /** The previous program was shutting down; this one continues that and starts nothing. */
      readonly closing?: Closing;
    }
  | Requested
  | { readonly type: 'manifests-loaded'; readonly request: RequestId; readonly loads: readonly LoadResult[] }
  | { readonly type: 'request-expired'; readonly request: RequestId }
  /** The ancestry of the process that requests a child. */
  | { readonly type: 'traced'; readonly request: RequestId; readonly ancestry: Ancestry }
  /** The slot with the traffic was written to `state_path`. */
  | { readonly type: 'slot-kept'; readonly service: ServiceId; readonly slot: string }
  /** SIGTERM and SIGINT stop all services and the supervisor; SIGHUP applies changed manifests. */
  | { readonly type: 'signalled'; readonly signal: 'SIGTERM' | 'SIGINT' | 'SIGHUP' }
  /** The wall clock was set or the machine slept. `by`: the change, ms; 0 only asks for a check. */
  | { readonly type: 'clock-set'; readonly by: Ms }
  | ServiceNews;

/** An event and the time at which the kernel received it. */
export interface Stamped {
  readonly at: Instant;
  readonly event: Event;
}
