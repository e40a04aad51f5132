// What a supervisor hands over to the program that replaces it in the same process (`docs/reliability.md`,
// "Upgrade"): all facts that are neither in the state files nor in the process table. The old program writes
// one JSON document and the new one reads it. If the new program fails, the old one reads the document again.
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
 * The version of the handover document. It is incremented if an older program would misread the document;
 * then programs of both versions refuse each other before an upgrade begins.
 */
export const HANDOVER_FORMAT = 1;

/** The part of the supervisor's state that is not in the state files. */
interface HandedState extends Pick<SupervisorState, 'projects' | 'manifests' | 'status' | 'metrics'> {
  /** Absent if the old program does not know this field. */
  readonly tables?: SupervisorState['tables'];
  readonly requests: Readonly<Record<RequestId, Request>>;
  readonly gate: Gate;
  readonly strays: readonly Found[];
  readonly warnings: readonly string[];
}

/** A connected client, and the services for which it receives changes. */
interface HandedClient {
  readonly id: string;
  readonly descriptor: number;
  readonly watching?: Selection;
}

/** A listening socket that the supervisor has opened for a service. */
export interface HandedSocket {
  readonly service: ServiceId;
  readonly place: string;
  readonly descriptor: number;
}

/** The old program, which resumes if the new program fails. */
interface OldProgram {
  /** A descriptor of the old program's Node binary, because the file itself may have been replaced. */
  readonly node: number;
  readonly argv: readonly string[];
}

/** How much of a service's log a supervisor in the foreground has shown. */
export interface ShownPlace {
  readonly service: ServiceId;
  /**
   * The inode of the log file, which stays the same when the file is renamed, and how many bytes of it were
   * shown. Absent if the file did not exist yet.
   */
  readonly inode?: number;
  readonly offset?: number;
  /** The parts of a long log line without the end, which was not read yet. */
  readonly parts: readonly LogEntry[];
}

/** How much output of services a supervisor in the foreground has shown. */
export interface ShownOutput {
  /** Output with this timestamp or a later one is shown. */
  readonly since: string;
  readonly places: readonly ShownPlace[];
  /**
   * Output before the offsets in `places` that is not written to standard output yet, because its reader is
   * slow (base64); absent if there is none.
   */
  readonly unwritten?: string;
}

/** Returns the value if it has the form of `ShownOutput`; otherwise `undefined`. */
export const shownIn = (value: unknown): ShownOutput | undefined =>
  isFields(value) && typeof value['since'] === 'string' && Array.isArray(value['places'])
    ? (value as unknown as ShownOutput)
    : undefined;

/** The client that requested the upgrade. The program that runs after the upgrade answers it. */
export interface UpgradeAsker {
  readonly client: string;
  readonly id: number;
  /** The warnings for the answer to the client; absent if there are none. */
  readonly warnings?: readonly string[];
}

export interface Handover {
  readonly format: typeof HANDOVER_FORMAT;
  readonly from: string;
  readonly to: string;
  /** When the upgrade was requested, and when it must be complete, ms since 1970. */
  readonly began: number;
  readonly deadline: number;
  /** When this supervisor started, ISO 8601. */
  readonly since: string;
  readonly asked: UpgradeAsker;
  readonly protocol: number;
  readonly old: OldProgram;
  readonly taken: HandedState;
  readonly services: readonly Service[];
  /** The events that the old program received but did not process, in order. */
  readonly events: readonly Event[];
  /** The runs for which the new program must start the process; absent if there are none. */
  readonly unbegun?: readonly Unbegun[];
  readonly listening: number;
  readonly clients: readonly HandedClient[];
  readonly sockets: readonly HandedSocket[];
  readonly commands: readonly HandedCommand[];
  /** The exit statuses of processes that have ended, which the old program did not report yet. */
  readonly exits: readonly { readonly process: ProcessRef; readonly status: ExitStatus }[];
  /** The time until the next attempt of each health probe, ms, by the key of its watch. */
  readonly pauses?: Readonly<Record<string, number>>;
  /** The services with output that the old program was reading; absent if not known. */
  readonly outputs?: readonly ServiceId[];
  /** How much output was shown; absent if the supervisor does not run in the foreground. */
  readonly shown?: ShownOutput;
  /**
   * The reading ends of FIFOs, which stay open so that no output is lost during the upgrade. The new program
   * closes them.
   */
  readonly surplus: readonly number[];
}

/** The received handover document, and why the old program resumed, if it did. */
export interface Arrival {
  readonly handover: Handover;
  readonly resumed?: string;
}

const LISTS = ['services', 'events', 'clients', 'sockets', 'commands', 'exits', 'surplus'];

/**
 * Returns the value if it is a handover document; otherwise `undefined`. Its details are not checked: the
 * program that wrote it has been tested before the upgrade.
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
 * Times as an earlier version writes them: as moments, ms since 1970. The wall clock may have been set since.
 */
interface Due {
  readonly paces?: Readonly<Record<string, number>>;
}
interface DueCommand extends HandedCommand {
  readonly until?: number;
}

const leftUntil = (due: number, now: Instant): number => Math.max(0, due - now);

/** Returns the time until the next attempt of each health probe, ms, by the key of its watch. */
export const pausesLeft = (
  { pauses, paces = {} }: Pick<Handover, 'pauses'> & Due,
  now: Instant,
): Readonly<Record<string, number>> =>
  pauses ?? Object.fromEntries(Object.entries(paces).map(([key, due]) => [key, leftUntil(due, now)]));

/** Returns each running command with the time left until its time limit. */
export const commandsLeft = (
  { commands }: { readonly commands: readonly DueCommand[] },
  now: Instant,
): readonly HandedCommand[] =>
  commands.map(({ until, ...command }) =>
    until === undefined ? command : { ...command, left: leftUntil(until, now) },
  );

/**
 * Returns the message about a completed upgrade. With `resumed`, the message about a failed one: why the old
 * program continues.
 */
export const upgradeText = ({ from, to }: Pick<Handover, 'from' | 'to'>, resumed?: string): string =>
  resumed === undefined
    ? `supervisor upgraded from sup ${from} to sup ${to}`
    : `ERR0503 sup ${to} failed while it took over (${resumed}): sup ${from} goes on`;

/**
 * Returns the warning that the supervisor runs from a copy of its program; `script` is the path of the copy.
 */
export const copyText = (script: string): string =>
  `an upgrade failed, and the supervisor runs from a copy of its program (${script}): sup upgrade, once one that works is installed`;
