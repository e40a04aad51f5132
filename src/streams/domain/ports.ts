// Ports: interfaces that one folder implements and another uses, such as sources and sinks. The composition
// root connects them.
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

/** Emits the events of one watch. A source of events without a watch ignores its argument. */
export type Source<W extends Watch['type']> = (watch: Extract<Watch, { type: W }>) => Observable<Event>;
/** Performs one kind of effect and emits the results as events. */
export type Sink<T extends Effect['type']> = (effect$: Observable<EffectOf<T>>) => Observable<Event>;

/** The wall clock; virtual time in marble tests. */
export interface Clock {
  /** Returns the present time, which goes back if the clock is set back. */
  now(): Instant;
  /**
   * Returns the time since a fixed but unknown moment, unaffected by clock changes. Absent if the wall clock
   * is never set, as in tests.
   */
  uptime?(): Ms;
}

/**
 * The exit statuses of runs. The spawn sink records its processes in the tick of the spawn; the exit source
 * reads them later.
 */
export interface ExitLedger {
  /** Records a process of the supervisor; called in the tick of its spawn. */
  record(process: ProcessRef, exit: Promise<ExitStatus>): void;
  /**
   * Returns the exit of a process; `undefined` for an adopted one, which is not a child process of the
   * supervisor and must be polled.
   */
  exitOf(process: ProcessRef): Promise<ExitStatus> | undefined;
  /** Removes a process after its exit was reported. */
  forget(process: ProcessRef): void;
}

/**
 * The descriptors that a new process gets as standard output and error. The supervisor closes its own ends
 * once the process has them.
 */
export interface Outlets {
  readonly stdout: number;
  readonly stderr: number;
  /** Closes both; must be called only once. */
  close(): void;
}

/** Identifies a child of a service; its output is a separate stream in the service's log. */
export interface ChildOutput {
  readonly name: string;
  readonly run: RunId;
}

/** A process that outlived its supervisor, and the FIFO pair it writes into. */
export interface Living {
  readonly process: ProcessRef;
  readonly lane: FifoPair;
}

/** Output capture: copies from the FIFOs of processes into log files. */
export interface Capture {
  /**
   * Creates missing FIFOs, opens this FIFO pair of a service, starts to copy its output, and returns the
   * writing ends for a new run.
   */
  open(spec: ServiceSpec, lane?: FifoPair): Promise<Outlets>;
  /**
   * Continues reading where the previous supervisor stopped; `living` are the processes that outlived it,
   * with their FIFO pairs.
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
   * Emits and completes when both FIFOs of the pair `lane` (by default the pair 0) have no writer left and
   * are read to their end.
   */
  drained(service: ServiceId, lane?: FifoPair): Observable<void>;
  /** Resolves when everything read so far is on disk. */
  flush(): Promise<void>;
}

/** Finds the processes of a run, by session, process group, ancestry and run tag. */
export interface Census {
  /**
   * Scans on subscription, emits all living processes of the run (no zombies), then completes. `leader` is or
   * was the run's leader. Fails if the process table cannot be read, which is different from an empty result.
   */
  membersOf(service: ServiceId, run: RunId, leader: ProcessRef): Observable<readonly ProcessRef[]>;
}

/** Finds which processes listen on the ports of this machine. */
export interface PortWitness {
  /**
   * Returns the process that listens at this place instead of a process of the owner's run. `undefined` if
   * the run itself listens, if no process does, or if it is not known. Answers are cached as long as they
   * stay true.
   */
  strangerAt(place: LocalPlace, owner: PortOwner): Promise<PortConflict | undefined>;
  /** Returns whether a process of the owner's run accepted this connection. */
  acceptorOf(connection: LocalConnection, owner: PortOwner): Promise<Acceptor>;
  /**
   * True if two runs can share one address: the supervisor holds its socket, or several sockets listen there.
   */
  isShared(place: LocalPlace): Promise<boolean>;
}

/**
 * A command with this identity gets the launch plan of the service: its user, groups, capabilities, limits
 * and isolation.
 */
interface CommandIdentity {
  readonly spec: ServiceSpec;
  /** The running process of the service: if it has its own network namespace, the command joins that. */
  readonly beside?: ProcessRef;
}

/** A command that the supervisor runs on behalf of a service: `skip`, `pre_start`, a probe, a hook. */
export interface CommandJob {
  /** The command line; it runs through `sh -c`, in its own session. */
  readonly command: string;
  readonly directory: string;
  /**
   * Returns the environment for the account that the command runs as; without an account, for the
   * supervisor's own.
   */
  readonly environment: (account?: Account) => Readonly<Record<string, string>>;
  /** The identity to run with; absent: the supervisor's own. */
  readonly as?: CommandIdentity | undefined;
  /**
   * The time limit; absent: none. At the limit the whole process tree gets SIGKILL, and the outcome is
   * `over-budget`.
   */
  readonly limit?: Ms;
  /**
   * The service whose log receives the output, as stream `hook`; absent: only the last lines are kept, in
   * memory.
   */
  readonly log?: ServiceSpec;
  /**
   * Identifies the command in an upgrade, such as the key of its watch. Without a key the next program cannot
   * take over the command, and starts it again.
   */
  readonly key?: string;
  /** Present for a hook: the facts for the event at its end. */
  readonly hook?: HandedHook;
  /** What users see as its name, such as `pre_start of shop/web`; absent: the name of the hook. */
  readonly about?: string;
}

/**
 * Runs commands with an optional time limit. Emits one outcome, then completes. Unsubscribing kills the whole
 * process tree.
 */
export interface CommandRunner {
  /** Returns the hooks that the previous program handed over and that no subscriber has taken over yet. */
  readonly hooksLeft: () => readonly (HandedHook & { readonly key: string })[];
  /** Starts the command on subscription. A failure to start is emitted as an outcome. */
  run(job: CommandJob): Observable<CommandOutcome>;
}
