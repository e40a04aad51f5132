// What a supervisor hands over to its replacement in the same process (`docs/reliability.md`, "Upgrade"): all
// that is neither in the state file nor visible in the process table. The old program writes one JSON
// document and the new one reads it. If the new one fails, the old one reads it again.
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

/** Raised if an older program would misread the document: such programs refuse each other in the trial. */
export const HANDOVER_FORMAT = 1;

/** The part of the state that is never recorded. */
interface HandedState extends Pick<SupervisorState, 'projects' | 'manifests' | 'status' | 'metrics'> {
  /** Absent if the program that hands over does not know them. */
  readonly tables?: SupervisorState['tables'];
  readonly requests: Readonly<Record<RequestId, Request>>;
  readonly gate: Gate;
  readonly strays: readonly Found[];
  readonly warnings: readonly string[];
}

/** A connected client, and what it watches. */
interface HandedClient {
  readonly id: string;
  readonly descriptor: number;
  readonly watching?: Selection;
}

/** A listening socket held open for a service. */
export interface HandedSocket {
  readonly service: ServiceId;
  readonly place: string;
  readonly descriptor: number;
}

/** The program that hands over; it resumes if the new one fails. */
interface OldProgram {
  /** A descriptor of its Node binary: the file may have been replaced. */
  readonly node: number;
  readonly argv: readonly string[];
}

/** How far the log of a service was shown. */
export interface ShownPlace {
  readonly service: ServiceId;
  /** The file, under any name, and how much of it was shown; absent if it did not exist yet. */
  readonly inode?: number;
  readonly offset?: number;
  /** Parts of a long line without its end. */
  readonly parts: readonly LogEntry[];
}

/** What a supervisor in the foreground has shown. */
export interface ShownOutput {
  /** Start of the shown period, as a stamp. */
  readonly since: string;
  readonly places: readonly ShownPlace[];
  /** Output up to there that the reader has not consumed, in base64; absent if none. */
  readonly unwritten?: string;
}

/** Returns `undefined` for any other value. */
export const shownIn = (value: unknown): ShownOutput | undefined =>
  isFields(value) && typeof value['since'] === 'string' && Array.isArray(value['places'])
    ? (value as unknown as ShownOutput)
    : undefined;

/** The client that requested the upgrade; the program that runs afterwards answers it. */
export interface UpgradeAsker {
  readonly client: string;
  readonly id: number;
  /** Warnings for the answer; absent if none. */
  readonly warnings?: readonly string[];
}

export interface Handover {
  readonly format: typeof HANDOVER_FORMAT;
  readonly from: string;
  readonly to: string;
  /** When it was requested, and its deadline, ms since 1970. */
  readonly began: number;
  readonly deadline: number;
  /** Start of this supervisor, ISO 8601. */
  readonly since: string;
  readonly asked: UpgradeAsker;
  readonly protocol: number;
  readonly old: OldProgram;
  readonly taken: HandedState;
  readonly services: readonly Service[];
  /** Events that happened and are not processed yet, in order. */
  readonly events: readonly Event[];
  /** Runs that the next program must start; absent if none. */
  readonly unbegun?: readonly Unbegun[];
  readonly listening: number;
  readonly clients: readonly HandedClient[];
  readonly sockets: readonly HandedSocket[];
  readonly commands: readonly HandedCommand[];
  /** Exits that were reaped but not claimed yet. */
  readonly exits: readonly { readonly process: ProcessRef; readonly status: ExitStatus }[];
  /** Time to the next attempt of each probe, by the key of its watch, ms. */
  readonly pauses?: Readonly<Record<string, number>>;
  /** Services with output being read; absent if unknown. */
  readonly outputs?: readonly ServiceId[];
  /** Absent if nothing is shown. */
  readonly shown?: ShownOutput;
  /** Descriptors kept open so that nothing is lost meanwhile; the receiver closes them. */
  readonly surplus: readonly number[];
}

/** What was handed over, and why the old program resumed. */
export interface Arrival {
  readonly handover: Handover;
  readonly resumed?: string;
}

const LISTS = ['services', 'events', 'clients', 'sockets', 'commands', 'exits', 'surplus'];

/**
 * Returns `undefined` for any other value. A document of this form comes from a program that passed the
 * trial.
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
 * The form of an earlier version: the moments at which times end, ms since 1970, by a wall clock that may
 * have been set since.
 */
interface Due {
  readonly paces?: Readonly<Record<string, number>>;
}
interface DueCommand extends HandedCommand {
  readonly until?: number;
}

const leftUntil = (due: number, now: Instant): number => Math.max(0, due - now);

/** Returns the time to the next attempt of each probe, ms, by the key of its watch. */
export const pausesLeft = (
  { pauses, paces = {} }: Pick<Handover, 'pauses'> & Due,
  now: Instant,
): Readonly<Record<string, number>> =>
  pauses ?? Object.fromEntries(Object.entries(paces).map(([key, due]) => [key, leftUntil(due, now)]));

/** Returns each command with the rest of its time. */
export const commandsLeft = (
  { commands }: { readonly commands: readonly DueCommand[] },
  now: Instant,
): readonly HandedCommand[] =>
  commands.map(({ until, ...command }) =>
    until === undefined ? command : { ...command, left: leftUntil(until, now) },
  );

/** Returns the text; `resumed` is why the old program continues. */
export const upgradeText = ({ from, to }: Pick<Handover, 'from' | 'to'>, resumed?: string): string =>
  resumed === undefined
    ? `supervisor upgraded from sup ${from} to sup ${to}`
    : `ERR0503 sup ${to} failed while it took over (${resumed}): sup ${from} goes on`;

/** Returns the warning shown while a copy of the program runs. `script` is its path. */
export const copyText = (script: string): string =>
  `an upgrade failed, and the supervisor runs from a copy of its program (${script}): sup upgrade, once one that works is installed`;
