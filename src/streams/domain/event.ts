// What happened. Past tense. Every event about a process carries its run, so that news of a run that is over is
// recognised as late and ignored.
import type { Command } from './command.ts';
import type { Closing } from './end.ts';
import type { Daemon, Evidence, ServiceError } from './errors/error.ts';
import type { Unbegun } from './handed.ts';
import type { ExitStatus } from './service/exit.ts';
import type { ProjectId, RequestId, RunId, ServiceId } from './ids.ts';
import type { LoadResult } from './declared/manifest.ts';
import type { Ancestry } from './service/ancestry.ts';
import type { Taken } from './service/port.ts';
import type { ProcessRef } from './service/process.ts';
import type { Skipped } from './service/skipped.ts';
import type { Service } from './service/service.ts';
import type { Settings } from './declared/settings.ts';
import type { Instant, Ms } from './time.ts';
import type { HookName } from './declared/spec.ts';
import type { TimerName } from './watch.ts';

/** Why a probe did not pass: no connection or no start (ERR0022), no answer in time (ERR0023), a bad answer (ERR0104). */
export type ProbeResult =
  | { readonly tag: 'passed' }
  | { readonly tag: 'unreachable'; readonly detail: string }
  | { readonly tag: 'timed-out' }
  | { readonly tag: 'unhealthy'; readonly detail: string }
  /** It passed, but who answered is not of the service's tree (ERR0105). */
  | { readonly tag: 'stranger'; readonly taken: Taken };

/** How a budgeted command ended. */
export type CommandOutcome =
  | {
      readonly tag: 'ended';
      readonly status: ExitStatus;
      readonly evidence: Evidence;
      /** The command was not run: what its service asks of the kernel could not be done. */
      readonly refused?: ServiceError;
    }
  | { readonly tag: 'over-budget' };

/** What a command of `Command` was asked by, and when it gives up. */
interface Requested {
  readonly type: 'requested';
  readonly request: RequestId;
  readonly command: Command;
}

/** A manifest file that is on record, as it was last loaded. */
interface Registration {
  readonly path: string;
  readonly load: LoadResult;
}

/** A run that outlived the last supervisor, found by the mark that its processes carry. */
export interface Found {
  readonly service: ServiceId;
  readonly run: RunId;
  /** Its leader. */
  readonly process: ProcessRef;
  /** When that began, by the clock as it is now. */
  readonly since?: Instant;
  /** The leader is gone: this is the first-born of who is left. */
  readonly orphaned?: true;
  /** It is not the service's own: the service has asked for it. */
  readonly child?: true;
}

/** News about one service; `run` says of which incarnation. */
export type ServiceNews = { readonly service: ServiceId } & (
  | {
      readonly type: 'command-ended';
      readonly run: RunId;
      readonly purpose: 'skip' | 'pre_start' | 'switch';
      readonly outcome: CommandOutcome;
    }
  /** `skipped`: what the kernel refused and the service runs without. */
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
  /** The living of the run's tree, leader included; nobody: the run is over, and `evidence` is what it printed last. */
  | {
      readonly type: 'surveyed';
      readonly run: RunId;
      readonly alive: readonly ProcessRef[];
      /** Members of the run's cgroup that nothing else proves to be of the run; read once no one else is alive. */
      readonly unproven?: readonly ProcessRef[];
      readonly evidence: Evidence;
      /** Those of the living who are in a session of their own. */
      readonly elsewhere?: readonly Daemon[];
      /** Who has the address that the run could not get, when it said so. */
      readonly taken?: Taken;
    }
  /** A hook ended. It changes nothing; the log says when it failed. */
  | {
      readonly type: 'hook-ended';
      readonly run: RunId;
      readonly name: HookName;
      readonly outcome: CommandOutcome;
    }
  | { readonly type: 'peaked'; readonly run: RunId; readonly peakBytes: number }
  /** What the service and its children hold now. */
  | { readonly type: 'weighed'; readonly run: RunId; readonly bytes: number }
  | { readonly type: 'rang'; readonly due: Instant }
  | { readonly type: 'clock-stepped' }
);

export type Event =
  /** The first event: the settings, what was on record, and the services as they were when the last supervisor ended. */
  | {
      readonly type: 'booted';
      readonly settings: Settings;
      readonly registered: readonly Registration[];
      readonly restored: readonly Service[];
      /** Leaders of runs that are alive, by their marks: the process table knows more than a state file that lags. */
      readonly found: readonly Found[];
      /** The machine has not been booted anew since the states were written. */
      readonly sameBoot: boolean;
      /** A user shut everything down, and nothing was started since: the records may not know of it. */
      readonly shutDown?: true;
      /** Registered projects of which nothing is on record any more. */
      readonly unrecorded?: readonly ProjectId[];
      readonly warnings: readonly string[];
      /** Another program was at work in this very process until now: each is as it was, what happened since is told. */
      readonly continued?: true;
      /** Runs that it was to start, and had not begun to. */
      readonly unbegun?: readonly Unbegun[];
      /** The program before it in this very process was about to end: so is this one, and nobody begins. */
      readonly closing?: Closing;
    }
  | Requested
  | { readonly type: 'manifests-loaded'; readonly request: RequestId; readonly loads: readonly LoadResult[] }
  | { readonly type: 'request-expired'; readonly request: RequestId }
  /** Who asks for a child, as the kernel tells. */
  | { readonly type: 'traced'; readonly request: RequestId; readonly ancestry: Ancestry }
  /** The slot of the service stands in the file of its `state_path`. */
  | { readonly type: 'slot-kept'; readonly service: ServiceId; readonly slot: string }
  /** SIGTERM, SIGINT: orderly stop. SIGHUP: reload. */
  | { readonly type: 'signalled'; readonly signal: 'SIGTERM' | 'SIGINT' | 'SIGHUP' }
  /** The wall clock was set, or the machine has slept: by so much, negative when it went back, nothing when it is only looked at. */
  | { readonly type: 'clock-set'; readonly by: Ms }
  | ServiceNews;

/** An event with the moment at which it entered the mailbox. */
export interface Stamped {
  readonly at: Instant;
  readonly event: Event;
}
