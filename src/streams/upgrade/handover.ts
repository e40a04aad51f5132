// What a supervisor hands over to the program that takes its place in the same process (`docs/reliability.md`, "Upgrade"):
// all that is neither on record nor to be seen in the process table. One JSON document, which the old program writes and
// the new one reads, or the old one again when the new one fails.
import type { ExitStatus } from '../domain/service/exit.ts';
import type { Event, Found } from '../domain/event.ts';
import type { HandedCommand, Unbegun } from '../domain/handed.ts';
import type { RequestId, ServiceId } from '../domain/ids.ts';
import type { Service } from '../domain/service/service.ts';
import type { ProcessRef } from '../domain/service/process.ts';
import type { Selection } from '../domain/command.ts';
import type { Gate } from '../gate/gate.ts';
import type { Request } from '../kernel/requests/request.ts';
import type { SupervisorState } from '../kernel/state.ts';
import type { LogEntry } from '../wire/log-line.ts';
import { isFields } from '../wire/check.ts';

/** Raised when a document of the old form would be misunderstood: such programs refuse each other at the trial. */
export const HANDOVER_FORMAT = 1;

/** What of the state is never on record. */
interface Taken extends Pick<SupervisorState, 'projects' | 'manifests' | 'status' | 'metrics'> {
  /** Absent where the program that hands over does not know them. */
  readonly tables?: SupervisorState['tables'];
  readonly requests: Readonly<Record<RequestId, Request>>;
  readonly gate: Gate;
  readonly strays: readonly Found[];
  readonly warnings: readonly string[];
}

/** A client that is connected, and what it watches. */
interface HandedClient {
  readonly id: string;
  readonly descriptor: number;
  readonly watching?: Selection;
}

/** A listening socket that is held for a service. */
export interface HandedSocket {
  readonly service: ServiceId;
  readonly place: string;
  readonly descriptor: number;
}

/** The program that hands over, to be resumed when the other one fails. */
interface OldProgram {
  /** A descriptor of the Node that runs it: its file may be another one by now. */
  readonly node: number;
  readonly argv: readonly string[];
}

/** How far the log of a service was shown. */
export interface ShownPlace {
  readonly service: ServiceId;
  /** The file, wherever it is renamed to, and how much of it; absent: it was not there yet. */
  readonly inode?: number;
  readonly offset?: number;
  /** Of a long line whose end was not there yet. */
  readonly parts: readonly LogEntry[];
}

/** What a supervisor in the foreground has shown. */
export interface Shown {
  /** Since when, as a stamp. */
  readonly since: string;
  readonly places: readonly ShownPlace[];
  /** What is shown up to there and has not been taken by whoever reads, in base64; absent: nothing. */
  readonly unwritten?: string;
}

/** `undefined`: it is none. */
export const shownIn = (value: unknown): Shown | undefined =>
  isFields(value) && typeof value['since'] === 'string' && Array.isArray(value['places'])
    ? (value as unknown as Shown)
    : undefined;

/** Who asked for the upgrade, to be answered by whoever is at work then. */
export interface Asked {
  readonly client: string;
  readonly id: number;
  /** For the answer; absent: none. */
  readonly warnings?: readonly string[];
}

export interface Handover {
  readonly format: typeof HANDOVER_FORMAT;
  readonly from: string;
  readonly to: string;
  /** When it was asked for, and when it is to be over, ms since 1970. */
  readonly began: number;
  readonly deadline: number;
  /** Since when this supervisor runs, ISO 8601. */
  readonly since: string;
  readonly asked: Asked;
  readonly protocol: number;
  readonly old: OldProgram;
  readonly taken: Taken;
  readonly services: readonly Service[];
  /** What happened and was not decided upon, in order. */
  readonly events: readonly Event[];
  /** Runs that are the next program's to start; absent: none. */
  readonly unbegun?: readonly Unbegun[];
  readonly listening: number;
  readonly clients: readonly HandedClient[];
  readonly sockets: readonly HandedSocket[];
  readonly commands: readonly HandedCommand[];
  /** Ends that were heard of and not asked for yet. */
  readonly exits: readonly { readonly process: ProcessRef; readonly status: ExitStatus }[];
  /** How long it is to the next attempt of each probe, by the key of its watch, ms. */
  readonly pauses?: Readonly<Record<string, number>>;
  /** Whose output is read; absent: it may be anybody's. */
  readonly outputs?: readonly ServiceId[];
  /** Absent: nothing is shown. */
  readonly shown?: Shown;
  /** Held open so that nothing is lost in between: to be closed. */
  readonly surplus: readonly number[];
}

/** What was handed over, and why it came back to the program that had handed it over. */
export interface Arrival {
  readonly handover: Handover;
  readonly resumed?: string;
}

const LISTS = ['services', 'events', 'clients', 'sockets', 'commands', 'exits', 'surplus'];

/** `undefined`: it is none, or of another form. What has the form was written by a program that was tried with it. */
export const handoverIn = (value: unknown): Handover | undefined => {
  const known =
    isFields(value) &&
    value['format'] === HANDOVER_FORMAT &&
    isFields(value['taken']) &&
    isFields(value['old']) &&
    LISTS.every((list) => Array.isArray(value[list]));
  return known ? (value as unknown as Handover) : undefined;
};
