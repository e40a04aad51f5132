// Where sources and sinks meet: interfaces, implemented in one folder and handed to the other by the composition root.
import type { Observable } from 'rxjs';
import type { Account } from './account.ts';
import type { Evidence } from './errors/error.ts';
import type { Effect, EffectOf } from './effect.ts';
import type { CommandOutcome, Event } from './event.ts';
import type { ExitStatus } from './service/exit.ts';
import type { RunId, ServiceId } from './ids.ts';
import type { Acceptor, LocalConnection, LocalPlace, PortOwner, Taken } from './service/port.ts';
import type { HandedHook } from './handed.ts';
import type { Lane, ProcessRef } from './service/process.ts';
import type { ServiceSpec } from './declared/spec.ts';
import type { Instant, Ms } from './time.ts';
import type { Watch } from './watch.ts';

/** Tells what happened. Takes one kind of watch; a source without watches ignores its argument. */
export type Source<W extends Watch['type']> = (watch: Extract<Watch, { type: W }>) => Observable<Event>;
/** Does one kind of effect. What it learns comes back as events. */
export type Sink<T extends Effect['type']> = (effect$: Observable<EffectOf<T>>) => Observable<Event>;

/** The wall clock: virtual in marbles. */
export interface Clock {
  /** It may go back, when somebody sets it. */
  now(): Instant;
  /** Time that nobody sets, since some moment; absent where the wall clock is never set either. */
  uptime?(): Ms;
}

/** Exits of runs: children's are written by the spawn sink in the tick of the spawn, replayed to the exit source. */
export interface ExitLedger {
  /** Called in the very tick of the spawn. */
  record(process: ProcessRef, exit: Promise<ExitStatus>): void;
  /** `undefined` for a process that was adopted and that nobody here can wait for: it must be polled. */
  exitOf(process: ProcessRef): Promise<ExitStatus> | undefined;
  /** Its exit has been told: nobody asks for it again. */
  forget(process: ProcessRef): void;
}

/** The descriptors a child gets as standard output and error; `close` in the supervisor once the child has them. */
export interface Outlets {
  readonly stdout: number;
  readonly stderr: number;
  /** Once only. */
  close(): void;
}

/** What a child of a service prints has a stream of its own in the service's log. */
export interface ChildOutput {
  readonly name: string;
  readonly run: RunId;
}

/** A process that has outlived its supervisor, and which of the two pairs of FIFOs it writes into. */
export interface Living {
  readonly process: ProcessRef;
  readonly lane: Lane;
}

/** Output capture: FIFOs from the children into log files. */
export interface Capture {
  /** Makes what is missing, opens both FIFOs of a run in this lane and begins to copy what comes out of them. */
  open(spec: ServiceSpec, lane?: Lane): Promise<Outlets>;
  /** Reads on where a dead supervisor left off; these of its processes live, each with its lane. */
  adopt(spec: ServiceSpec, living?: readonly Living[]): void;
  /** A writable end of the service's log as stream `hook`, for commands the supervisor runs on its behalf. */
  openHook(spec: ServiceSpec): Promise<Outlets>;
  /** A writable end of the service's log as stream `child:<name>`, for the child that is this run. */
  openChild(spec: ServiceSpec, child: ChildOutput): Promise<Outlets>;
  /** The last lines of the present run in this lane, oldest first. */
  tail(service: ServiceId, lines: number, lane?: Lane): Evidence;
  /** The last lines of stream `hook` since `openHook` was last called, oldest first. */
  hookTail(service: ServiceId, lines: number): Evidence;
  /** Emits once, when both FIFOs of this lane have no writer left and are read to their end, then completes. */
  drained(service: ServiceId, lane?: Lane): Observable<void>;
  /** Settles when everything read so far is on disk. */
  flush(): Promise<void>;
}

/** Who belongs to a run, as the kernel tells: session, process group, descendants, and carriers of its mark. */
export interface Census {
  /**
   * Everybody alive (zombies are not) of the run whose leader is or was `leader`: looks when it is subscribed to, emits
   * once, then completes. Fails when the process table cannot be read, which is not the same as nobody there.
   */
  membersOf(service: ServiceId, run: RunId, leader: ProcessRef): Observable<readonly ProcessRef[]>;
}

/** Who listens on this machine, as the kernel tells. */
export interface PortWitness {
  /**
   * Who listens there instead of the owner's run. `undefined`: the run does, nobody does, or nobody can tell.
   * Answers are remembered for as long as they are true.
   */
  strangerAt(place: LocalPlace, owner: PortOwner): Promise<Taken | undefined>;
  /** Which process accepted this connection. */
  acceptorOf(connection: LocalConnection, owner: PortOwner): Promise<Acceptor>;
  /** True if two runs may be served from one address: the supervisor holds its socket, or several sockets listen there. */
  isShared(place: LocalPlace): Promise<boolean>;
}

/** With the launch plan of a service: its user, its groups, its capabilities, its limits and its isolation. */
interface CommandIdentity {
  readonly spec: ServiceSpec;
  /** The running process of the service: the command joins its network, where that is one of its own. */
  readonly beside?: ProcessRef;
}

/** A command the supervisor runs on behalf of a service: `skip`, `pre_start`, a probe, a hook. */
export interface CommandJob {
  /** Run through `sh -c`, in a session of its own. */
  readonly command: string;
  readonly directory: string;
  /** Its variables, for the account that it runs as; without one for the supervisor's own. */
  readonly environment: (account?: Account) => Readonly<Record<string, string>>;
  /** Absent: it runs as the supervisor does. */
  readonly as?: CommandIdentity | undefined;
  /** Absent: no limit. At the limit the whole process tree gets SIGKILL and the outcome is `over-budget`. */
  readonly limit?: Ms;
  /** The service in whose log the output appears, as stream `hook`; absent: its last lines are kept and no more. */
  readonly log?: ServiceSpec;
  /** By which one that is handed over is recognised: of a watch its key. Without it is begun anew. */
  readonly key?: string;
  /** It is a hook: what its end is told with. */
  readonly hook?: HandedHook;
  /** What it is, for a person: `pre_start of shop/web`; unless given, of a hook its name. */
  readonly about?: string;
}

/** Runs budgeted commands. Unsubscribing kills the command's whole tree. Emits one outcome, then completes. */
export interface CommandRunner {
  /** Hooks that were handed over and nobody has taken up yet. */
  readonly hooksLeft: () => readonly (HandedHook & { readonly key: string })[];
  /** Begins when it is subscribed to; a command that cannot be begun is an outcome, too. */
  run(job: CommandJob): Observable<CommandOutcome>;
}
