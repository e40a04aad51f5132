// Events: what happened, in the past tense. Every event about a process carries its run number, so that late
// events of an ended run are recognised and ignored.
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
 * The result of a probe. `unreachable`: no connection, or the command did not start (ERR0022). `timed-out`:
 * no answer in time (ERR0023). `unhealthy`: a bad answer (ERR0104).
 */
export type ProbeResult =
  | { readonly tag: 'passed' }
  | { readonly tag: 'unreachable'; readonly detail: string }
  | { readonly tag: 'timed-out' }
  | { readonly tag: 'unhealthy'; readonly detail: string }
  /** The probe passed, but a process outside the service's tree answered (ERR0105). */
  | { readonly tag: 'stranger'; readonly taken: PortConflict };

/** How a command with a time limit ended. `over-budget`: it reached the limit and was killed. */
export type CommandOutcome =
  | {
      readonly tag: 'ended';
      readonly status: ExitStatus;
      readonly evidence: Evidence;
      /**
       * Present if the command was not run, because the kernel features that its service declares could not
       * be set up.
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

/** A registered manifest and the result of its last load. */
interface Registration {
  readonly path: string;
  readonly load: LoadResult;
}

/** A run that outlived the previous supervisor, found by the run tag in the environment of its processes. */
export interface Found {
  readonly service: ServiceId;
  readonly run: RunId;
  /** The leader of the run. */
  readonly process: ProcessRef;
  /** When that process started, computed with the present wall clock. */
  readonly since?: Instant;
  /** Present if the leader has ended; `process` is then the oldest surviving process. */
  readonly orphaned?: true;
  /** Present if this is a child that the service requested, not a run of the service itself. */
  readonly child?: true;
}

/** News about one service; `run` is the number of the run it is about. */
export type ServiceNews = { readonly service: ServiceId } & (
  | {
      readonly type: 'command-ended';
      readonly run: RunId;
      readonly purpose: 'skip' | 'pre_start' | 'switch';
      readonly outcome: CommandOutcome;
    }
  /** The process was started. `skipped`: the isolation that the kernel refused and the run does without. */
  | {
      readonly type: 'spawned';
      readonly run: RunId;
      readonly process: ProcessRef;
      readonly skipped?: readonly Skipped[];
    }
  | { readonly type: 'spawn-failed'; readonly run: RunId; readonly error: ServiceError }
  | { readonly type: 'exited'; readonly run: RunId; readonly status: ExitStatus }
  | { readonly type: 'probed'; readonly run: RunId; readonly result: ProbeResult }
  /** The result of one probe of `candidate_health_check` or `switch_verify`; the run is the candidate. */
  | { readonly type: 'verified'; readonly run: RunId; readonly result: ProbeResult }
  | { readonly type: 'elapsed'; readonly run: RunId; readonly timer: TimerName }
  /**
   * The result of a process scan: the living processes of the run's tree, leader included. If there are none,
   * the run is over and `evidence` holds its last output.
   */
  | {
      readonly type: 'surveyed';
      readonly run: RunId;
      readonly alive: readonly ProcessRef[];
      /**
       * Processes in the run's cgroup that nothing else connects to the run. Read only if no other process of
       * the run is alive.
       */
      readonly unproven?: readonly ProcessRef[];
      readonly evidence: Evidence;
      /** The processes of `alive` that are in a session other than the run's. */
      readonly elsewhere?: readonly Daemon[];
      /**
       * The port that the run could not bind, and the process that holds it; present if the run's output says
       * so.
       */
      readonly taken?: PortConflict;
    }
  /** A hook ended. This changes no state; a failure is written to the log. */
  | {
      readonly type: 'hook-ended';
      readonly run: RunId;
      readonly name: HookName;
      readonly outcome: CommandOutcome;
    }
  | { readonly type: 'peaked'; readonly run: RunId; readonly peakBytes: number }
  /** The present memory of the service and its children together. */
  | { readonly type: 'weighed'; readonly run: RunId; readonly bytes: number }
  | { readonly type: 'rang'; readonly due: Instant }
  | { readonly type: 'clock-stepped' }
);

export type Event =
  /**
   * The first event: the settings, the registered manifests, and the services as the previous supervisor
   * recorded them.
   */
  | {
      readonly type: 'booted';
      readonly settings: Settings;
      readonly registered: readonly Registration[];
      readonly restored: readonly Service[];
      /** Living runs, found by their run tags. The process table is newer than the state files. */
      readonly found: readonly Found[];
      /** True if the machine was not rebooted since the state files were written. */
      readonly sameBoot: boolean;
      /**
       * Present if a user shut everything down and started no service since. The recorded states may not show
       * that.
       */
      readonly shutDown?: true;
      /** Registered projects without a state file, although they had one. */
      readonly unrecorded?: readonly ProjectId[];
      readonly warnings: readonly string[];
      /**
       * Present after an upgrade: another program ran in this process until now. Its state is taken over, and
       * the events it did not process follow.
       */
      readonly continued?: true;
      /** Runs that the other program had to start, but had not begun to spawn. */
      readonly unbegun?: readonly Unbegun[];
      /**
       * Present if the other program was shutting down. This program continues the shutdown and starts no
       * service.
       */
      readonly closing?: Closing;
    }
  | Requested
  | { readonly type: 'manifests-loaded'; readonly request: RequestId; readonly loads: readonly LoadResult[] }
  | { readonly type: 'request-expired'; readonly request: RequestId }
  /** The ancestry of the process that requests a child, as reported by the kernel. */
  | { readonly type: 'traced'; readonly request: RequestId; readonly ancestry: Ancestry }
  /** The slot was written into the `state_path` file of the service. */
  | { readonly type: 'slot-kept'; readonly service: ServiceId; readonly slot: string }
  /** SIGTERM and SIGINT: orderly stop. SIGHUP: reload. */
  | { readonly type: 'signalled'; readonly signal: 'SIGTERM' | 'SIGINT' | 'SIGHUP' }
  /**
   * The wall clock was set or the machine slept. `by` is the step, negative if backward; 0 means that the
   * clock must be checked.
   */
  | { readonly type: 'clock-set'; readonly by: Ms }
  | ServiceNews;

/** An event with the moment at which it entered the mailbox. */
export interface Stamped {
  readonly at: Instant;
  readonly event: Event;
}
