// Events: facts that the supervisor reacts to, in the past tense. Every event about a process carries a run
// number, so that late events of an ended run are recognised and ignored.
import type { Command } from './command.ts';
import type { Closing } from './effect.ts';
import type { Daemon, Evidence, ServiceError } from './errors/error.ts';
import type { Unbegun } from './handed-commands.ts';
import type { ExitStatus } from './service/exit.ts';
import type { ProjectId, RequestId, RunId, ServiceId } from './ids.ts';
import type { LoadResult } from './declared/manifest.ts';
import type { Ancestry } from './service/ancestry.ts';
import type { PortConflict } from './service/port.ts';
import type { ProcessRef } from './service/process.ts';
import type { Skipped } from './service/service-run.ts';
import type { Service } from './service/service.ts';
import type { Settings } from './declared/settings.ts';
import type { Instant, Ms } from './time.ts';
import type { HookName } from './declared/spec.ts';
import type { TimerName } from './watch.ts';

/**
 * The result of a health probe. `unreachable`: no connection, or the probe command did not start (ERR0022).
 * `timed-out`: no answer in time (ERR0023). `unhealthy`: a bad answer (ERR0104).
 */
export type ProbeResult =
  | { readonly tag: 'passed' }
  | { readonly tag: 'unreachable'; readonly detail: string }
  | { readonly tag: 'timed-out' }
  | { readonly tag: 'unhealthy'; readonly detail: string }
  /** The probe passed, but a process outside the service's tree answered (ERR0105). */
  | { readonly tag: 'stranger'; readonly taken: PortConflict };

/** How a command with a time limit ended. `over-budget`: it reached its time limit and was killed. */
export type CommandOutcome =
  | {
      readonly tag: 'ended';
      readonly status: ExitStatus;
      readonly evidence: Evidence;
      /**
       * Present if the command was not run because a kernel feature that its service declares could not be
       * set up.
       */
      readonly refused?: ServiceError;
    }
  | { readonly tag: 'over-budget' };

/** A client sent a command. */
interface Requested {
  readonly type: 'requested';
  readonly request: RequestId;
  readonly command: Command;
}

/** A registered manifest (one whose services the supervisor runs) and the result of reading it. */
interface Registration {
  readonly path: string;
  readonly load: LoadResult;
}

/** A run that outlived the previous supervisor, found by the run tag in the environment of its processes. */
export interface Found {
  readonly service: ServiceId;
  readonly run: RunId;
  /** The run's main process. */
  readonly process: ProcessRef;
  /** When the process started, computed with the present wall clock. */
  readonly since?: Instant;
  /**
   * Present if the run's main process has ended; `process` is then its oldest process that is still alive.
   */
  readonly orphaned?: true;
  /** Present if this is a child that the service requested, not a run of the service itself. */
  readonly child?: true;
}

/** An event about one run of a service; `run` is the number of that run. */
export type ServiceNews = { readonly service: ServiceId } & (
  | {
      readonly type: 'command-ended';
      readonly run: RunId;
      readonly purpose: 'skip' | 'pre_start' | 'switch';
      readonly outcome: CommandOutcome;
    }
  /**
   * The process was started. `skipped`: declared isolation that the kernel refused, so that the run continues
   * without it.
   */
  | {
      readonly type: 'spawned';
      readonly run: RunId;
      readonly process: ProcessRef;
      readonly skipped?: readonly Skipped[];
    }
  | { readonly type: 'spawn-failed'; readonly run: RunId; readonly error: ServiceError }
  | { readonly type: 'exited'; readonly run: RunId; readonly status: ExitStatus }
  | { readonly type: 'probed'; readonly run: RunId; readonly result: ProbeResult }
  /**
   * The result of one probe for `candidate_health_check` or `switch_verify`; `run` is the new run of the
   * rollout.
   */
  | { readonly type: 'verified'; readonly run: RunId; readonly result: ProbeResult }
  | { readonly type: 'elapsed'; readonly run: RunId; readonly timer: TimerName }
  /**
   * The result of a process scan: the living processes of the run, its main process included. If there are
   * none, the run is over and `evidence` holds its last output.
   */
  | {
      readonly type: 'surveyed';
      readonly run: RunId;
      readonly alive: readonly ProcessRef[];
      /**
       * Processes that are in the run's cgroup but show no other connection to the run. The cgroup is read
       * only if no other process of the run is alive.
       */
      readonly unproven?: readonly ProcessRef[];
      readonly evidence: Evidence;
      /** Those processes of `alive` that have left the session of the run. */
      readonly elsewhere?: readonly Daemon[];
      /**
       * The port that the run could not listen on, and the process that holds it; present if the run's output
       * reports this.
       */
      readonly taken?: PortConflict;
    }
  /** A hook ended. The event changes no state; a failure of the hook is written to the log. */
  | {
      readonly type: 'hook-ended';
      readonly run: RunId;
      readonly name: HookName;
      readonly outcome: CommandOutcome;
    }
  | { readonly type: 'peaked'; readonly run: RunId; readonly peakBytes: number }
  /** The memory that the service and its children use together. */
  | { readonly type: 'weighed'; readonly run: RunId; readonly bytes: number }
  | { readonly type: 'rang'; readonly due: Instant }
  | { readonly type: 'clock-stepped' }
);

export type Event =
  /**
   * The first event: the settings, the registered manifests, and the state of services that the previous
   * supervisor saved.
   */
  | {
      readonly type: 'booted';
      readonly settings: Settings;
      readonly registered: readonly Registration[];
      readonly restored: readonly Service[];
      /**
       * Runs that are still alive, found by their run tags. They are trusted more than the state files, which
       * may be older.
       */
      readonly found: readonly Found[];
      /** True if the machine was not rebooted since the state files were written. */
      readonly sameBoot: boolean;
      /**
       * Present if a user shut the supervisor down and started no service since. The saved states may not
       * show that.
       */
      readonly shutDown?: true;
      /** Registered projects with a lost state file. */
      readonly unrecorded?: readonly ProjectId[];
      readonly warnings: readonly string[];
      /**
       * Present after an upgrade: this program replaced another one in the same process and takes over its
       * state. The events that the other program had not processed follow this one.
       */
      readonly continued?: true;
      /** Runs that the previous program was about to spawn. */
      readonly unbegun?: readonly Unbegun[];
      /**
       * Present if the previous program was shutting down. This program continues the shutdown and starts no
       * service.
       */
      readonly closing?: Closing;
    }
  | Requested
  | { readonly type: 'manifests-loaded'; readonly request: RequestId; readonly loads: readonly LoadResult[] }
  | { readonly type: 'request-expired'; readonly request: RequestId }
  /** The ancestry of the process that requests a child, or why it is not known. */
  | { readonly type: 'traced'; readonly request: RequestId; readonly ancestry: Ancestry }
  /** The slot that has the traffic was written into the `state_path` file of the service. */
  | { readonly type: 'slot-kept'; readonly service: ServiceId; readonly slot: string }
  /**
   * The supervisor received a signal. SIGTERM and SIGINT: stop all services, then end. SIGHUP: apply changed
   * manifests.
   */
  | { readonly type: 'signalled'; readonly signal: 'SIGTERM' | 'SIGINT' | 'SIGHUP' }
  /**
   * The wall clock was set or the machine slept. `by` is the change of the clock, negative if it was set
   * back; 0 means that the clock must be checked.
   */
  | { readonly type: 'clock-set'; readonly by: Ms }
  | ServiceNews;

/** An event and the time at which the kernel's queue received it. */
export interface Stamped {
  readonly at: Instant;
  readonly event: Event;
}
