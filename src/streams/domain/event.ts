// Events: what happened, in the past tense. Every event about a process carries its run, so that late news of
// an ended run is recognised and ignored.
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
 * Why a probe did not pass: no connection or no start (ERR0022), no answer in time (ERR0023), a bad answer
 * (ERR0104).
 */
export type ProbeResult =
  | { readonly tag: 'passed' }
  | { readonly tag: 'unreachable'; readonly detail: string }
  | { readonly tag: 'timed-out' }
  | { readonly tag: 'unhealthy'; readonly detail: string }
  /** The probe passed, but a process outside the service's tree answered (ERR0105). */
  | { readonly tag: 'stranger'; readonly taken: PortConflict };

/** The end of a command with a time limit. */
export type CommandOutcome =
  | {
      readonly tag: 'ended';
      readonly status: ExitStatus;
      readonly evidence: Evidence;
      /** The command was not run: the kernel features that its service asks for could not be set up. */
      readonly refused?: ServiceError;
    }
  | { readonly tag: 'over-budget' };

/** A command and the request that it came with. */
interface Requested {
  readonly type: 'requested';
  readonly request: RequestId;
  readonly command: Command;
}

/** A registered manifest file, as last loaded. */
interface Registration {
  readonly path: string;
  readonly load: LoadResult;
}

/** A run that outlived the last supervisor, found by the mark of its processes. */
export interface Found {
  readonly service: ServiceId;
  readonly run: RunId;
  /** Its leader. */
  readonly process: ProcessRef;
  /** When that process started, by the present clock. */
  readonly since?: Instant;
  /** The leader has ended: `process` is the oldest surviving process. */
  readonly orphaned?: true;
  /** A child on demand that the service requested, not its own run. */
  readonly child?: true;
}

/** News about one service; `run` identifies the incarnation. */
export type ServiceNews = { readonly service: ServiceId } & (
  | {
      readonly type: 'command-ended';
      readonly run: RunId;
      readonly purpose: 'skip' | 'pre_start' | 'switch';
      readonly outcome: CommandOutcome;
    }
  /** `skipped`: what the kernel refused, so that the service runs without it. */
  | {
      readonly type: 'spawned';
      readonly run: RunId;
      readonly process: ProcessRef;
      readonly skipped?: readonly Skipped[];
    }
  | { readonly type: 'spawn-failed'; readonly run: RunId; readonly error: ServiceError }
  | { readonly type: 'exited'; readonly run: RunId; readonly status: ExitStatus }
  | { readonly type: 'probed'; readonly run: RunId; readonly result: ProbeResult }
  /** An attempt of `candidate_health_check` or `switch_verify`; the run is the candidate. */
  | { readonly type: 'verified'; readonly run: RunId; readonly result: ProbeResult }
  | { readonly type: 'elapsed'; readonly run: RunId; readonly timer: TimerName }
  /**
   * The living processes of the run's tree, leader included. If empty, the run is over and `evidence` holds
   * its last output.
   */
  | {
      readonly type: 'surveyed';
      readonly run: RunId;
      readonly alive: readonly ProcessRef[];
      /**
       * Members of the run's cgroup without other proof that they belong to the run; read only if no proven
       * process is alive.
       */
      readonly unproven?: readonly ProcessRef[];
      readonly evidence: Evidence;
      /** Those of `alive` that are in a session of their own. */
      readonly elsewhere?: readonly Daemon[];
      /** The process that holds the address the run could not bind, if its output says so. */
      readonly taken?: PortConflict;
    }
  /** A hook ended. This changes no state; the log tells if the hook failed. */
  | {
      readonly type: 'hook-ended';
      readonly run: RunId;
      readonly name: HookName;
      readonly outcome: CommandOutcome;
    }
  | { readonly type: 'peaked'; readonly run: RunId; readonly peakBytes: number }
  /** The present memory of the service and its children. */
  | { readonly type: 'weighed'; readonly run: RunId; readonly bytes: number }
  | { readonly type: 'rang'; readonly due: Instant }
  | { readonly type: 'clock-stepped' }
);

export type Event =
  /**
   * The first event: the settings, the registered manifests, and the services as the last supervisor left
   * them.
   */
  | {
      readonly type: 'booted';
      readonly settings: Settings;
      readonly registered: readonly Registration[];
      readonly restored: readonly Service[];
      /** Leaders of living runs, found by their marks; the process table is newer than a state file. */
      readonly found: readonly Found[];
      /** True if the machine was not rebooted since the states were written. */
      readonly sameBoot: boolean;
      /** A user shut everything down and nothing was started since; the records may not contain it. */
      readonly shutDown?: true;
      /** Registered projects that have lost their record. */
      readonly unrecorded?: readonly ProjectId[];
      readonly warnings: readonly string[];
      /** Another program ran in this process until now: its state is taken over, and missed events follow. */
      readonly continued?: true;
      /** Runs that program had to start, but had not begun to spawn. */
      readonly unbegun?: readonly Unbegun[];
      /**
       * The previous program in this process was shutting down: this one continues to, and starts no service.
       */
      readonly closing?: Closing;
    }
  | Requested
  | { readonly type: 'manifests-loaded'; readonly request: RequestId; readonly loads: readonly LoadResult[] }
  | { readonly type: 'request-expired'; readonly request: RequestId }
  /** The ancestry of the process that requests a child, as the kernel reports it. */
  | { readonly type: 'traced'; readonly request: RequestId; readonly ancestry: Ancestry }
  /** The file of the service's `state_path` contains the slot. */
  | { readonly type: 'slot-kept'; readonly service: ServiceId; readonly slot: string }
  /** SIGTERM and SIGINT: orderly stop. SIGHUP: reload. */
  | { readonly type: 'signalled'; readonly signal: 'SIGTERM' | 'SIGINT' | 'SIGHUP' }
  /**
   * The wall clock was set or the machine slept: `by` is the step, negative if backward. 0: only check the
   * clock.
   */
  | { readonly type: 'clock-set'; readonly by: Ms }
  | ServiceNews;

/** An event with the moment at which it entered the mailbox. */
export interface Stamped {
  readonly at: Instant;
  readonly event: Event;
}
