// Ports: interfaces that one folder implements and another folder uses. The supervisor connects them when it
// starts.
import type { Observable } from 'rxjs';
import type { Account } from './account.ts';
import type { Evidence } from './errors/error.ts';
import type { Effect, EffectOf } from './effect.ts';
import type { CommandOutcome, Event } from './event.ts';
import type { ExitStatus } from './service/exit-status.ts';
import type { RunId, ServiceId } from './ids.ts';
import type { Acceptor, LocalConnection, LocalPlace, PortOwner, PortConflict } from './service/port.ts';
import type { HandedHook } from './handed-commands.ts';
import type { FifoPair, ProcessRef } from './service/process.ts';
import type { ServiceSpec } from './declared/spec.ts';
import type { Instant, Ms } from './time.ts';
import type { Watch } from './watch.ts';

/**
 * A function that returns the events of a watch. A source that does not need the watch ignores the argument.
 */
export type Source<W extends Watch['type']> = (watch: Extract<Watch, { type: W }>) => Observable<Event>;
/** A function that performs all effects of one kind and emits their results as events. */
export type Sink<T extends Effect['type']> = (effect$: Observable<EffectOf<T>>) => Observable<Event>;

/** The wall clock; virtual time in marble tests. */
export interface Clock {
  /** Returns the wall clock time, which goes back if the clock is set back. */
  now(): Instant;
  /** Returns the time since a fixed moment, independent of the wall clock. Absent in some tests. */
  uptime?(): Ms;
}

/**
 * Exit statuses of processes. They are recorded by the code that spawns a process, and read by the code that
 * waits for its exit.
 */
export interface ExitLedger {
  /** Records a new process. Call this in the same turn of the event loop as the spawn. */
  record(process: ProcessRef, exit: Promise<ExitStatus>): void;
  /** Returns a promise of the exit status; `undefined` for a process that the supervisor did not spawn. */
  exitOf(process: ProcessRef): Promise<ExitStatus> | undefined;
  /** Removes a process after its exit was reported. */
  forget(process: ProcessRef): void;
}

/**
 * The descriptors that a new process gets as standard output and standard error. The supervisor closes its
 * copies after the spawn.
 */
export interface Outlets {
  readonly stdout: number;
  readonly stderr: number;
  /** Closes both descriptors; call it only once. */
  close(): void;
}

/** A child of a service. Its output is a stream of its own in the service's log. */
export interface ChildOutput {
  readonly name: string;
  readonly run: RunId;
}

/** A process that outlived its supervisor, and the FIFOs for its output. */
export interface Living {
  readonly process: ProcessRef;
  readonly fifoPair: FifoPair;
}

/** Copies the output of processes from their FIFOs into log files. */
export interface Capture {
  /** Opens a FIFO pair of a service, copies its output, and returns the writing ends for a new run. */
  open(spec: ServiceSpec, fifoPair?: FifoPair): Promise<Outlets>;
  /**
   * Continues to copy output from the place where the previous supervisor stopped. `living`: the processes
   * that are still alive.
   */
  adopt(spec: ServiceSpec, living?: readonly Living[]): void;
  /** Returns descriptors of the stream `hook` of the log, for commands on behalf of the service. */
  openHook(spec: ServiceSpec): Promise<Outlets>;
  /** Returns descriptors of the stream `child:<name>` of the log. */
  openChild(spec: ServiceSpec, child: ChildOutput): Promise<Outlets>;
  /** Returns the last lines of the run that writes into this FIFO pair, oldest first. */
  tail(service: ServiceId, lines: number, fifoPair?: FifoPair): Evidence;
  /**
   * Emits when a line of the run with this FIFO pair matches the pattern, or at once if a line has matched.
   */
  printed(spec: ServiceSpec, pattern: string, fifoPair?: FifoPair): Observable<void>;
  /** Returns the last lines of the stream `hook` since the last `openHook`, oldest first. */
  hookTail(service: ServiceId, lines: number): Evidence;
  /** Emits once and completes when neither FIFO of the pair has a writer and all output is read. */
  drained(service: ServiceId, fifoPair?: FifoPair): Observable<void>;
  /** Resolves when all output read so far is on disk. */
  flush(): Promise<void>;
}

/** The sockets on which runs report their own state (sd_notify). */
export interface NotifySockets {
  /**
   * Opens the socket for a new run and returns its path. `owner`: the user that owns the socket (default: the
   * user of the supervisor). Throws if the socket cannot be opened.
   */
  open(service: ServiceId, run: RunId, owner?: { readonly uid: number; readonly gid: number }): string;
  /** Closes the socket of a run that was not started. */
  close(service: ServiceId, run: RunId): void;
}

/** Finds the processes of a run by their session, process group, ancestry and run tag. */
export interface ProcessScanner {
  /** Scans once and emits all living processes of the run. Fails if the process table cannot be read. */
  membersOf(service: ServiceId, run: RunId, leader: ProcessRef): Observable<readonly ProcessRef[]>;
}

/** Finds which processes listen on ports of this machine. */
export interface PortWitness {
  /**
   * Returns the process that listens at `place`; `undefined` if it is unknown or belongs to the owner's run.
   */
  strangerAt(place: LocalPlace, owner: PortOwner): Promise<PortConflict | undefined>;
  /** Returns whether the owner's run or another process accepted the connection. */
  acceptorOf(connection: LocalConnection, owner: PortOwner): Promise<Acceptor>;
  /**
   * True if several sockets accept connections at this address, or if the supervisor holds a socket there.
   * Then it is not certain which run accepts a connection.
   */
  isShared(place: LocalPlace): Promise<boolean>;
}

/**
 * The service as which a command runs: with the user, groups, capabilities, limits and isolation of the
 * service.
 */
interface CommandIdentity {
  readonly spec: ServiceSpec;
  /**
   * The main process of the service. If this process has a network namespace of its own, the command joins
   * it.
   */
  readonly beside?: ProcessRef;
}

/** A command on behalf of a service: `skip`, `pre_start`, a probe, a hook. */
export interface CommandJob {
  /** The command line, executed with `sh -c` in a new session. */
  readonly command: string;
  readonly directory: string;
  /**
   * Returns the environment of the command, if it runs as `account` (default: as the user of the supervisor).
   */
  readonly environment: (account?: Account) => Readonly<Record<string, string>>;
  /**
   * The service that declares the secrets of the command in `env.secrets`. The secrets are read when the
   * command starts. If a secret cannot be read, a hook runs without it, and any other command fails.
   */
  readonly secretsOf?: Pick<ServiceSpec, 'id' | 'env'>;
  /** The service for which the state directory is made before the command starts. Used if `as` is absent. */
  readonly stateOf?: ServiceSpec;
  /** The user and isolation of the command. Absent: those of the supervisor. */
  readonly as?: CommandIdentity | undefined;
  /** The text on standard input; absent: /dev/null. */
  readonly input?: string;
  /**
   * The time limit. When it is over, the process tree of the command gets SIGKILL, and the outcome is
   * `over-budget`. Absent: no limit.
   */
  readonly limit?: Ms;
  /** The service that gets the output into its log (stream `hook`). Absent: only the last lines are kept. */
  readonly log?: ServiceSpec;
  /**
   * Identifies a running command when the supervisor is upgraded. The new program waits for the command with
   * this key. A command without a key is started again by the new program.
   */
  readonly key?: string;
  /**
   * The facts of the hook. Present if the command is a hook. The end of the hook is reported with these
   * facts.
   */
  readonly hook?: HandedHook;
  /** The name of the command for users, such as `pre_start of shop/web`. Absent: the name of the hook. */
  readonly about?: string;
}

/**
 * Runs commands. The Observable of a command emits one outcome and completes. Unsubscribing kills the process
 * tree of the command.
 */
export interface CommandRunner {
  /**
   * Returns the hooks that the old program handed over in an upgrade, without those that have a subscriber.
   */
  readonly hooksLeft: () => readonly (HandedHook & { readonly key: string })[];
  /** Starts the command on subscription. A command that cannot be started emits an outcome that says so. */
  run(job: CommandJob): Observable<CommandOutcome>;
}
