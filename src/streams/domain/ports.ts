// Ports between sources and sinks: interfaces that one folder implements and the composition root passes to
// the other.
import type { Observable } from 'rxjs';
import type { Account } from './account.ts';
import type { Evidence } from './errors/error.ts';
import type { Effect, EffectOf } from './effect.ts';
import type { CommandOutcome, Event } from './event.ts';
import type { ExitStatus } from './service/exit.ts';
import type { RunId, ServiceId } from './ids.ts';
import type { Acceptor, LocalConnection, LocalPlace, PortOwner, PortConflict } from './service/port.ts';
import type { HandedHook } from './handed-commands.ts';
import type { FifoPair, ProcessRef } from './service/process.ts';
import type { ServiceSpec } from './declared/spec.ts';
import type { Instant, Ms } from './time.ts';
import type { Watch } from './watch.ts';

/** Emits what happened, for one kind of watch; a source without watches ignores its argument. */
export type Source<W extends Watch['type']> = (watch: Extract<Watch, { type: W }>) => Observable<Event>;
/** Performs one kind of effect. Results come back as events. */
export type Sink<T extends Effect['type']> = (effect$: Observable<EffectOf<T>>) => Observable<Event>;

/** The wall clock; virtual in marble tests. */
export interface Clock {
  /** Returns the present instant; it goes back if the clock is set back. */
  now(): Instant;
  /**
   * Returns the time since some moment, unaffected by clock changes; absent if the wall clock is never set.
   */
  uptime?(): Ms;
}

/**
 * Exits of runs. The spawn sink records its children in the tick of the spawn; the exit source reads them
 * later.
 */
export interface ExitLedger {
  /** Records a child; called in the very tick of the spawn. */
  record(process: ProcessRef, exit: Promise<ExitStatus>): void;
  /**
   * Returns `undefined` for an adopted process, which is not a child of the supervisor: it must be polled.
   */
  exitOf(process: ProcessRef): Promise<ExitStatus> | undefined;
  /** Drops a process after its exit was reported. */
  forget(process: ProcessRef): void;
}

/**
 * The descriptors a child gets as standard output and error; the supervisor closes its copies once the child
 * has them.
 */
export interface Outlets {
  readonly stdout: number;
  readonly stderr: number;
  /** Closes both; called once only. */
  close(): void;
}

/** A child of a service; its output is a stream of its own in the service's log. */
export interface ChildOutput {
  readonly name: string;
  readonly run: RunId;
}

/** A process that outlived its supervisor, and its pair of FIFOs. */
export interface Living {
  readonly process: ProcessRef;
  readonly lane: FifoPair;
}

/** Output capture: FIFOs from the children into log files. */
export interface Capture {
  /** Creates what is missing, opens both FIFOs of a run in this lane and starts to copy their output. */
  open(spec: ServiceSpec, lane?: FifoPair): Promise<Outlets>;
  /** Resumes reading where a dead supervisor stopped; `living` are the living processes with their lanes. */
  adopt(spec: ServiceSpec, living?: readonly Living[]): void;
  /** Returns a writable end of the service's log as stream `hook`, for commands on its behalf. */
  openHook(spec: ServiceSpec): Promise<Outlets>;
  /** Returns a writable end of the service's log as stream `child:<name>`, for this child. */
  openChild(spec: ServiceSpec, child: ChildOutput): Promise<Outlets>;
  /** Returns the last lines of the present run in this lane, oldest first. */
  tail(service: ServiceId, lines: number, lane?: FifoPair): Evidence;
  /** Returns the last lines of stream `hook` since the last `openHook`, oldest first. */
  hookTail(service: ServiceId, lines: number): Evidence;
  /** Emits once both FIFOs of this lane have no writer left and are read to their end, then completes. */
  drained(service: ServiceId, lane?: FifoPair): Observable<void>;
  /** Resolves when everything read so far is on disk. */
  flush(): Promise<void>;
}

/** The processes of a run, by session, process group, ancestry and mark. */
export interface Census {
  /**
   * Emits all living processes of the run (no zombies), then completes; `leader` is or was its leader. The
   * scan starts on subscription. Fails if the process table cannot be read, which is not the same as no
   * process.
   */
  membersOf(service: ServiceId, run: RunId, leader: ProcessRef): Observable<readonly ProcessRef[]>;
}

/** Finds the processes that listen on this machine. */
export interface PortWitness {
  /**
   * Returns the process that listens there instead of the owner's run. `undefined`: the run does, none does,
   * or it is not known. Answers are cached while they hold.
   */
  strangerAt(place: LocalPlace, owner: PortOwner): Promise<PortConflict | undefined>;
  /** Returns which process accepted this connection. */
  acceptorOf(connection: LocalConnection, owner: PortOwner): Promise<Acceptor>;
  /**
   * True if two runs can share one address: the supervisor holds its socket, or several sockets listen there.
   */
  isShared(place: LocalPlace): Promise<boolean>;
}

/** Applies the launch plan of a service: its user, groups, capabilities, limits and isolation. */
interface CommandIdentity {
  readonly spec: ServiceSpec;
  /** The running process of the service: the command joins its network if it has its own. */
  readonly beside?: ProcessRef;
}

/** A command the supervisor runs on behalf of a service: `skip`, `pre_start`, a probe, a hook. */
export interface CommandJob {
  /** Runs through `sh -c`, in its own session. */
  readonly command: string;
  readonly directory: string;
  /** Returns its variables for the account it runs as; without one, for the supervisor's own. */
  readonly environment: (account?: Account) => Readonly<Record<string, string>>;
  /** Absent: it runs with the supervisor's identity. */
  readonly as?: CommandIdentity | undefined;
  /** Absent: no limit. At the limit the whole tree gets SIGKILL, and the outcome is `over-budget`. */
  readonly limit?: Ms;
  /**
   * The service that takes the output into its log as stream `hook`; absent: only its last lines are kept.
   */
  readonly log?: ServiceSpec;
  /**
   * Identifies a command that is handed over, such as the key of its watch. Without a key it is started
   * again.
   */
  readonly key?: string;
  /** The command is a hook: the facts for its end. */
  readonly hook?: HandedHook;
  /** A name for users: `pre_start of shop/web`; absent: the hook's name. */
  readonly about?: string;
}

/** Runs commands with a time limit. Unsubscribing kills the whole tree. Emits one outcome, then completes. */
export interface CommandRunner {
  /** Returns the hooks that were handed over and not taken up yet. */
  readonly hooksLeft: () => readonly (HandedHook & { readonly key: string })[];
  /** Starts the command on subscription; a failure to start is an outcome, too. */
  run(job: CommandJob): Observable<CommandOutcome>;
}
