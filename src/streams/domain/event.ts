// Events: things that have happened, named in the past tense. An event about a process has a run number, so
// that an event of a run that has ended is ignored.
import type { Command } from './command.ts';
import type { Closing } from './effect.ts';
import type { Daemon, Evidence, ServiceError } from './errors/error.ts';
import type { Unbegun } from './handed-commands.ts';
import type { ExitStatus } from './service/exit-status.ts';
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
 * The result of one probe. `unreachable`: no connection (ERR0022). `timed-out`: no answer in time (ERR0023).
 * `unhealthy`: an answer that is not a success (ERR0104).
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

/** How a command ended. `over-budget`: it reached its time limit and was killed. */
export type CommandOutcome =
  | {
      readonly tag: 'ended';
      readonly status: ExitStatus;
      readonly evidence: Evidence;
      /** Present if the command was not run, because Linux refused a feature that the service declares. */
      readonly refused?: ServiceError;
    }
  | { readonly tag: 'over-budget' };

interface Requested {
  readonly type: 'requested';
  readonly request: RequestId;
  readonly command: Command;
  /** The program that sent the command, such as `dashboard`. Absent for the command line. */
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
  /** Present if the main process has ended; `process` is then the oldest process that is still alive. */
  readonly orphaned?: true;
  /** Present for a child that the service requested, not for a run of the service. */
  readonly child?: true;
}

/** An event about one run of a service: the run with the number `run`. */
export type ServiceNews = { readonly service: ServiceId } & (
  | {
      readonly type: 'command-ended';
      readonly run: RunId;
      readonly purpose: CommandPurpose;
      readonly outcome: CommandOutcome;
    }
  /**
   * The process was started. `skipped`: declared features that Linux refused. The run continues without them.
   */
  | {
      readonly type: 'spawned';
      readonly run: RunId;
      readonly process: ProcessRef;
      readonly skipped?: readonly Skipped[];
    }
  | { readonly type: 'spawn-failed'; readonly run: RunId; readonly error: ServiceError }
  | { readonly type: 'exited'; readonly run: RunId; readonly status: ExitStatus }
  /**
   * A probe has a result. `liveness`: the probe is one of `health_check.liveness`, not of the health check.
   */
  | {
      readonly type: 'probed';
      readonly run: RunId;
      readonly result: ProbeResult;
      readonly liveness?: true;
    }
  /** The run reports its own state (sd_notify). */
  | { readonly type: 'notified'; readonly run: RunId; readonly report: SelfReport }
  /** A probe result of `candidate_health_check` or `switch_verify`. `run`: the new run of the rollout. */
  | { readonly type: 'verified'; readonly run: RunId; readonly result: ProbeResult }
  | { readonly type: 'elapsed'; readonly run: RunId; readonly timer: TimerName }
  /**
   * The result of a process scan: the living processes of the run. If there are none, the run is over, and
   * `evidence` is its last output.
   */
  | {
      readonly type: 'surveyed';
      readonly run: RunId;
      readonly alive: readonly ProcessRef[];
      /**
       * Processes that belong to the run only by their cgroup. The cgroup is read only when `alive` is empty.
       */
      readonly unproven?: readonly ProcessRef[];
      readonly evidence: Evidence;
      /** The processes in `alive` that have left the session of the run. */
      readonly elsewhere?: readonly Daemon[];
      /**
       * The port on which the run could not listen, and the process that holds the port. Present if the
       * output of the run reports this.
       */
      readonly taken?: PortConflict;
    }
  /** A hook ended. This changes no state; if the hook failed, the failure is logged. */
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
  /** The first event. It has the settings, the registered manifests and the recorded services. */
  | {
      readonly type: 'booted';
      readonly settings: Settings;
      readonly registered: readonly Registration[];
      readonly restored: readonly Service[];
      /** Live runs, found by their run tags. They replace the recorded state, which may be older. */
      readonly found: readonly Found[];
      /** True if the machine was not rebooted after the state was recorded. */
      readonly sameBoot: boolean;
      /**
       * Present if a user shut the supervisor down and has started nothing since. The recorded states may be
       * older than this shutdown.
       */
      readonly shutDown?: true;
      /** The numbers of instances that `sup scale` has set. Absent: none. */
      readonly scales?: Scales;
      /** Registered projects that have lost their state file. */
      readonly unrecorded?: readonly ProjectId[];
      readonly warnings: readonly string[];
      /** Present after an upgrade or re-exec: the new program takes over the state and the pending events. */
      readonly continued?: true;
      /** Runs that the previous program had not spawned yet. The new program spawns them. */
      readonly unbegun?: readonly Unbegun[];
      /**
       * Present if the previous program was shutting down: the new program continues the shutdown and starts
       * nothing.
       */
      readonly closing?: Closing;
    }
  | Requested
  | { readonly type: 'manifests-loaded'; readonly request: RequestId; readonly loads: readonly LoadResult[] }
  | { readonly type: 'request-expired'; readonly request: RequestId }
  /** The ancestry of the process that requests a child. */
  | { readonly type: 'traced'; readonly request: RequestId; readonly ancestry: Ancestry }
  /** The slot with the traffic was written to `state_path`. */
  | { readonly type: 'slot-kept'; readonly service: ServiceId; readonly slot: string }
  /**
   * The supervisor received a signal. SIGTERM and SIGINT stop all services and the supervisor. SIGHUP applies
   * changed manifests.
   */
  | { readonly type: 'signalled'; readonly signal: 'SIGTERM' | 'SIGINT' | 'SIGHUP' }
  /**
   * The wall clock was set or the machine slept. `by`: the change in ms. With 0, the timers are checked and
   * nothing else changes.
   */
  | { readonly type: 'clock-set'; readonly by: Ms }
  | ServiceNews;

/** An event and the time at which the supervisor processes it. */
export interface Stamped {
  readonly at: Instant;
  readonly event: Event;
}
