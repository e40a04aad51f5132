// Ports: interfaces that one folder implements and another uses. The supervisor connects them when it starts.
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

/** Returns the events of one watch. A source with events that need no watch ignores the argument. */
export type Source<W extends Watch['type']> = (watch: Extract<Watch, { type: W }>) => Observable<Event>;
/** Performs all effects of one kind and emits their results as events. */
export type Sink<T extends Effect['type']> = (effect$: Observable<EffectOf<T>>) => Observable<Event>;

/** The wall clock; virtual time in marble tests. */
export interface Clock {
  /** Returns the present wall clock time, which goes back if the clock is set back. */
  now(): Instant;
  /**
   * Returns the time since a fixed but unknown moment; clock changes do not affect it. Absent if the wall
   * clock is never set, as in tests.
   */
  uptime?(): Ms;
}

/**
 * Exit statuses of processes. The code that spawns a process records it in the same turn of the event loop;
 * the code that waits for exits reads the status later.
 */
export interface ExitLedger {
  /** Records a new process of the supervisor; called in the turn of the event loop in which it is spawned. */
  record(process: ProcessRef, exit: Promise<ExitStatus>): void;
  /**
   * Resolves to the exit status of a process. Returns `undefined` for a process that the supervisor did not
   * spawn, which must be polled.
   */
  exitOf(process: ProcessRef): Promise<ExitStatus> | undefined;
  /** Removes a process after its exit was reported. */
  forget(process: ProcessRef): void;
}

/**
 * The descriptors for standard output and error of a new process. The supervisor closes its copies once the
 * process has them.
 */
export interface Outlets {
  readonly stdout: number;
  readonly stderr: number;
  /** Closes both descriptors; must be called only once. */
  close(): void;
}

/** Identifies a child of a service; its output is a separate stream in the service's log. */
export interface ChildOutput {
  readonly name: string;
  readonly run: RunId;
}

/** A process that outlived its supervisor, and the FIFO pair that it writes its output into. */
export interface Living {
  readonly process: ProcessRef;
  readonly lane: FifoPair;
}

/** Output capture: copies the output of processes from their FIFOs into log files. */
export interface Capture {
  /**
   * Creates missing FIFOs, opens one FIFO pair of a service, starts to copy its output, and returns the
   * writing ends for a new run.
   */
  open(spec: ServiceSpec, lane?: FifoPair): Promise<Outlets>;
  /**
   * Continues to copy the output of a service where the previous supervisor stopped; `living` are its
   * processes that are still alive.
   */
  adopt(spec: ServiceSpec, living?: readonly Living[]): void;
  /**
   * Returns descriptors for the stream `hook` of the service's log, for commands on behalf of the service.
   */
  openHook(spec: ServiceSpec): Promise<Outlets>;
  /** Returns descriptors for the stream `child:<name>` of the service's log, for this child. */
  openChild(spec: ServiceSpec, child: ChildOutput): Promise<Outlets>;
  /** Returns the last lines of the present run that writes into this FIFO pair, oldest first. */
  tail(service: ServiceId, lines: number, lane?: FifoPair): Evidence;
  /** Returns the last lines of the stream `hook` since the last `openHook`, oldest first. */
  hookTail(service: ServiceId, lines: number): Evidence;
  /**
   * Emits and completes when both FIFOs of this pair (absent: the first pair) have no writer left and are
   * read to their end.
   */
  drained(service: ServiceId, lane?: FifoPair): Observable<void>;
  /** Resolves when all output read so far is on disk. */
  flush(): Promise<void>;
}

/** Finds the processes of a run, by session, process group, ancestry and run tag. */
export interface Census {
  /**
   * Scans on subscription, emits all living processes of the run (no zombies), then completes. `leader` is
   * the run's main process, which may have ended. Fails if the process table cannot be read, which is
   * different from an empty result.
   */
  membersOf(service: ServiceId, run: RunId, leader: ProcessRef): Observable<readonly ProcessRef[]>;
}

/** Finds which processes listen on the ports of this machine. */
export interface PortWitness {
  /**
   * Returns the process that listens on this port or address, if it does not belong to the owner's run.
   * `undefined` if it does, if no process listens, or if it is not known. Answers are cached as long as they
   * stay true.
   */
  strangerAt(place: LocalPlace, owner: PortOwner): Promise<PortConflict | undefined>;
  /** Returns whether a process of the owner's run accepted this connection. */
  acceptorOf(connection: LocalConnection, owner: PortOwner): Promise<Acceptor>;
  /**
   * True if two runs can listen on one address: the supervisor opened the socket, or several sockets listen
   * there.
   */
  isShared(place: LocalPlace): Promise<boolean>;
}

/**
 * Makes a command run like the process of a service: with its user, groups, capabilities, limits and
 * isolation.
 */
interface CommandIdentity {
  readonly spec: ServiceSpec;
  /**
   * The running process of the service: if it has its own network namespace, the command joins that
   * namespace.
   */
  readonly beside?: ProcessRef;
}

/** A command that the supervisor runs on behalf of a service: `skip`, `pre_start`, a probe, a hook. */
export interface CommandJob {
  /** The command line, executed with `sh -c` in a new session. */
  readonly command: string;
  readonly directory: string;
  /**
   * Returns the environment for the account that the command runs as; without `account`, for the account of
   * the supervisor.
   */
  readonly environment: (account?: Account) => Readonly<Record<string, string>>;
  /** The user and the isolation to run with; absent: those of the supervisor. */
  readonly as?: CommandIdentity | undefined;
  /**
   * The time limit; absent: none. At the limit the command's process tree gets SIGKILL, and the outcome is
   * `over-budget`.
   */
  readonly limit?: Ms;
  /**
   * The service whose log receives the output, as stream `hook`; absent: only the last lines are kept in
   * memory.
   */
  readonly log?: ServiceSpec;
  /**
   * Identifies the command in an upgrade. Without a key the next program cannot take over the running
   * command, and starts it again.
   */
  readonly key?: string;
  /** Present if the command is a hook: the facts for the event at its end. */
  readonly hook?: HandedHook;
  /**
   * The name of the command that users see, such as `pre_start of shop/web`; absent: the name of the hook.
   */
  readonly about?: string;
}

/**
 * Runs commands with an optional time limit. Emits one outcome, then completes. Unsubscribing kills the
 * command's process tree.
 */
export interface CommandRunner {
  /** Returns the hooks that the previous program handed over in an upgrade and that nothing waits for yet. */
  readonly hooksLeft: () => readonly (HandedHook & { readonly key: string })[];
  /** Starts the command on subscription. If the command cannot be started, this is emitted as an outcome. */
  run(job: CommandJob): Observable<CommandOutcome>;
}
