// What a supervisor hands over to its successor in the same process (`docs/reliability.md`, "Upgrade"): all
// facts that are neither in the state files nor in the process table. The old program writes one JSON
// document and the new one reads it. If the new program fails, the old one reads the document again.
import type { Selection } from '../domain/command.ts';
import type { Event, Found } from '../domain/event.ts';
import type { HandedCommand, Unbegun } from '../domain/handed-commands.ts';
import type { RequestId, ServiceId } from '../domain/ids.ts';
import type { ExitStatus } from '../domain/service/exit.ts';
import type { ProcessRef } from '../domain/service/process.ts';
import type { Service } from '../domain/service/service.ts';
import type { Instant } from '../domain/time.ts';
import type { Gate } from '../gate/concurrency-gate.ts';
import type { Request } from '../kernel/requests/request.ts';
import type { SupervisorState } from '../kernel/state.ts';
import { isFields } from '../wire/checked-fields.ts';
import type { LogEntry } from '../wire/log-line.ts';

/**
 * The version of the document. It is incremented if an older program would misread it: programs with
 * different versions refuse each other in the trial.
 */
export const HANDOVER_FORMAT = 1;

/** The part of the state that is not in the state files. */
interface HandedState extends Pick<SupervisorState, 'projects' | 'manifests' | 'status' | 'metrics'> {
  /** Absent if the old program does not know this field. */
  readonly tables?: SupervisorState['tables'];
  readonly requests: Readonly<Record<RequestId, Request>>;
  readonly gate: Gate;
  readonly strays: readonly Found[];
  readonly warnings: readonly string[];
}

/** A connected client, and the services it watches. */
interface HandedClient {
  readonly id: string;
  readonly descriptor: number;
  readonly watching?: Selection;
}

/** A listening socket that the supervisor holds for a service. */
export interface HandedSocket {
  readonly service: ServiceId;
  readonly place: string;
  readonly descriptor: number;
}

/** The old program, which resumes if the new one fails. */
interface OldProgram {
  /** A descriptor of its Node binary, because the file may have been replaced. */
  readonly node: number;
  readonly argv: readonly string[];
}

/** How much of a service's log a foreground supervisor has shown. */
export interface ShownPlace {
  readonly service: ServiceId;
  /**
   * The inode of the log file, whatever its name is now, and how many bytes of it were shown; absent if the
   * file did not exist yet.
   */
  readonly inode?: number;
  readonly offset?: number;
  /** The parts of a long line whose end was not read yet. */
  readonly parts: readonly LogEntry[];
}

/** What a foreground supervisor has shown. */
export interface ShownOutput {
  /** The timestamp from which on output is shown. */
  readonly since: string;
  readonly places: readonly ShownPlace[];
  /**
   * Output before `places` that is not written to standard output yet, because its reader is slow (base64).
   * Absent if there is none.
   */
  readonly unwritten?: string;
}

/** Returns the value if it has the form of `ShownOutput`; otherwise `undefined`. */
export const shownIn = (value: unknown): ShownOutput | undefined =>
  isFields(value) && typeof value['since'] === 'string' && Array.isArray(value['places'])
    ? (value as unknown as ShownOutput)
    : undefined;

/** The client that requested the upgrade; the program that runs afterwards sends it the answer. */
export interface UpgradeAsker {
  readonly client: string;
  readonly id: number;
  /** The warnings for that answer; absent if there are none. */
  readonly warnings?: readonly string[];
}

export interface Handover {
  readonly format: typeof HANDOVER_FORMAT;
  readonly from: string;
  readonly to: string;
  /** When the upgrade was requested, and when it must be finished, ms since 1970. */
  readonly began: number;
  readonly deadline: number;
  /** When this supervisor started, ISO 8601. */
  readonly since: string;
  readonly asked: UpgradeAsker;
  readonly protocol: number;
  readonly old: OldProgram;
  readonly taken: HandedState;
  readonly services: readonly Service[];
  /** The events that were received but not processed, in order. */
  readonly events: readonly Event[];
  /** The runs that the new program must start; absent if there are none. */
  readonly unbegun?: readonly Unbegun[];
  readonly listening: number;
  readonly clients: readonly HandedClient[];
  readonly sockets: readonly HandedSocket[];
  readonly commands: readonly HandedCommand[];
  /** The exit statuses of processes that were reaped but not reported yet. */
  readonly exits: readonly { readonly process: ProcessRef; readonly status: ExitStatus }[];
  /** The time until the next attempt of each probe, ms, by the key of its watch. */
  readonly pauses?: Readonly<Record<string, number>>;
  /** The services whose output was being read; absent if not known. */
  readonly outputs?: readonly ServiceId[];
  /** Absent if no output is shown. */
  readonly shown?: ShownOutput;
  /**
   * The reading ends of FIFOs, kept open so that no output is lost during the upgrade; the receiver closes
   * them.
   */
  readonly surplus: readonly number[];
}

/** The received document, and why the old program resumed, if it did. */
export interface Arrival {
  readonly handover: Handover;
  readonly resumed?: string;
}

const LISTS = ['services', 'events', 'clients', 'sockets', 'commands', 'exits', 'surplus'];

/**
 * Returns the value as a handover document; `undefined` if it is none. Its details are not checked: it comes
 * from a program that passed the trial.
 */
export const handoverIn = (value: unknown): Handover | undefined => {
  const known =
    isFields(value) &&
    value['format'] === HANDOVER_FORMAT &&
    isFields(value['taken']) &&
    isFields(value['old']) &&
    LISTS.every((list) => Array.isArray(value[list]));
  return known ? (value as unknown as Handover) : undefined;
};

/**
 * Due times as an earlier version writes them, ms since 1970. They may be wrong if the wall clock was set
 * since then.
 */
interface Due {
  readonly paces?: Readonly<Record<string, number>>;
}
interface DueCommand extends HandedCommand {
  readonly until?: number;
}

const leftUntil = (due: number, now: Instant): number => Math.max(0, due - now);

/** Returns the time until the next attempt of each probe, ms, by the key of its watch. */
export const pausesLeft = (
  { pauses, paces = {} }: Pick<Handover, 'pauses'> & Due,
  now: Instant,
): Readonly<Record<string, number>> =>
  pauses ?? Object.fromEntries(Object.entries(paces).map(([key, due]) => [key, leftUntil(due, now)]));

/** Returns each command with the time left until its limit. */
export const commandsLeft = (
  { commands }: { readonly commands: readonly DueCommand[] },
  now: Instant,
): readonly HandedCommand[] =>
  commands.map(({ until, ...command }) =>
    until === undefined ? command : { ...command, left: leftUntil(until, now) },
  );

/**
 * Returns the message about a finished upgrade, or about a failed one if `resumed` is given: the reason why
 * the old program continues.
 */
export const upgradeText = ({ from, to }: Pick<Handover, 'from' | 'to'>, resumed?: string): string =>
  resumed === undefined
    ? `supervisor upgraded from sup ${from} to sup ${to}`
    : `ERR0503 sup ${to} failed while it took over (${resumed}): sup ${from} goes on`;

/**
 * Returns the warning for a supervisor that runs from a copy of its program; `script` is the path of the
 * copy.
 */
export const copyText = (script: string): string =>
  `an upgrade failed, and the supervisor runs from a copy of its program (${script}): sup upgrade, once one that works is installed`;
