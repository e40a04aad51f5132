// What a supervisor hands over to the program that replaces it in the same process (`docs/reliability.md`,
// "Upgrade"). It is one JSON document with everything that is neither in the state files nor in the process
// table.
import type { Selection } from '../domain/command.ts';
import type { Event, Found } from '../domain/event.ts';
import type { HandedCommand, Unbegun } from '../domain/handed-commands.ts';
import type { RequestId, ServiceId } from '../domain/ids.ts';
import type { ExitStatus } from '../domain/service/exit.ts';
import type { ProcessRef } from '../domain/service/process.ts';
import type { Service } from '../domain/service/service.ts';
import type { Instant } from '../domain/time.ts';
import type { Gate } from '../gate/start-places.ts';
import type { Request } from '../kernel/requests/request.ts';
import type { SupervisorState } from '../kernel/state.ts';
import { isFields } from '../wire/params/checked-fields.ts';
import type { LogEntry } from '../wire/log-line.ts';

/**
 * The version of the document. It is incremented if an older program would misread the document; then both
 * programs refuse the upgrade.
 */
export const HANDOVER_FORMAT = 1;

/** The part of the supervisor's state that is not in the state files. */
interface HandedState extends Pick<
  SupervisorState,
  'projects' | 'manifests' | 'readings' | 'profiles' | 'scales' | 'status' | 'metrics'
> {
  /** What each manifest declares for the whole supervisor. An older program does not hand it over. */
  readonly tables?: SupervisorState['tables'];
  readonly requests: Readonly<Record<RequestId, Request>>;
  readonly gate: Gate;
  /** The undeclared runs. */
  readonly strays: readonly Found[];
  readonly warnings: readonly string[];
}

/** A connected client, with the selection of services that it watches. */
interface HandedClient {
  readonly id: string;
  readonly descriptor: number;
  readonly watching?: Selection;
}

/** A listening socket that the supervisor keeps open for a service. */
export interface HandedSocket {
  readonly service: ServiceId;
  readonly place: string;
  readonly descriptor: number;
}

/** The socket on which a run reports its own state (sd_notify). */
export interface HandedNotifySocket {
  /** The run, as in the variable `SUP_UNIT`. */
  readonly unit: string;
  readonly descriptor: number;
}

/** The old program. It resumes if the new program fails. */
interface OldProgram {
  /** A descriptor of the Node binary of the old program, because the file may have been replaced. */
  readonly node: number;
  readonly argv: readonly string[];
}

/** How much of the log of a service was shown in the foreground. */
export interface ShownPlace {
  readonly service: ServiceId;
  /**
   * The inode of the log, which stays the same if the log is renamed, and the number of shown bytes. Both are
   * absent if there was no file yet.
   */
  readonly inode?: number;
  readonly offset?: number;
  /** The parts of a long line that were read, if its end was not read yet. */
  readonly parts: readonly LogEntry[];
}

/** How much of the output of all services was shown in the foreground. */
export interface ShownOutput {
  /** The earliest time of shown output. Older output was not shown. */
  readonly since: string;
  readonly places: readonly ShownPlace[];
  /** Output (base64) before the offsets that is not written yet, because standard output is read slowly. */
  readonly unwritten?: string;
}

/** Returns the value if it has the form of `ShownOutput`, otherwise `undefined`. */
export const shownIn = (value: unknown): ShownOutput | undefined =>
  isFields(value) && typeof value['since'] === 'string' && Array.isArray(value['places'])
    ? (value as unknown as ShownOutput)
    : undefined;

/** The client that requested the upgrade. It gets the answer after the upgrade. */
export interface UpgradeAsker {
  readonly client: string;
  readonly id: number;
  /** Warnings for the answer to the client. */
  readonly warnings?: readonly string[];
}

export interface Handover {
  readonly format: typeof HANDOVER_FORMAT;
  readonly from: string;
  readonly to: string;
  /** When the upgrade began, and when it must be complete, in ms since 1970. */
  readonly began: number;
  readonly deadline: number;
  /** When this supervisor started, in ISO 8601. */
  readonly since: string;
  readonly asked: UpgradeAsker;
  readonly protocol: number;
  readonly old: OldProgram;
  readonly taken: HandedState;
  readonly services: readonly Service[];
  /** The events that the old program received and did not process, in their order. */
  readonly events: readonly Event[];
  /** The runs that need a process, which the new program must start. */
  readonly unbegun?: readonly Unbegun[];
  readonly listening: number;
  readonly clients: readonly HandedClient[];
  readonly sockets: readonly HandedSocket[];
  /** Absent from an older program. The new program then opens the sockets again. */
  readonly notifySockets?: readonly HandedNotifySocket[];
  readonly commands: readonly HandedCommand[];
  /** The exit statuses that the old program did not report yet. */
  readonly exits: readonly { readonly process: ProcessRef; readonly status: ExitStatus }[];
  /** For each health probe the time until its next attempt, in ms, by the key of its watch. */
  readonly pauses?: Readonly<Record<string, number>>;
  /** The services of which the old program was reading the output. Absent if that is not known. */
  readonly outputs?: readonly ServiceId[];
  /** How much output was shown. Only for a supervisor in the foreground. */
  readonly shown?: ShownOutput;
  /** Reading ends of FIFOs, kept open so that no output is lost until the new program has opened its own. */
  readonly surplus: readonly number[];
}

/** The received document. `resumed`: why the old program resumed; absent if this is the new program. */
export interface Arrival {
  readonly handover: Handover;
  readonly resumed?: string;
}

/** Returns the part of the state that the old program handed over. */
export const handedState = ({ strays, ...others }: Handover['taken']): Partial<SupervisorState> => ({
  ...others,
  undeclaredRuns: strays,
});

const LISTS = ['services', 'events', 'clients', 'sockets', 'commands', 'exits', 'surplus'];

/** Returns the value if it is a handover document. The details were checked before the upgrade. */
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
 * The times in a document of an older program: moments in ms since 1970, and not the time that remains. They
 * are wrong if the clock was set in between.
 */
interface Due {
  readonly paces?: Readonly<Record<string, number>>;
}
interface DueCommand extends HandedCommand {
  readonly until?: number;
}

const leftUntil = (due: number, now: Instant): number => Math.max(0, due - now);

/** Returns for each health probe the time until its next attempt, in ms, by the key of its watch. */
export const pausesLeft = (
  { pauses, paces = {} }: Pick<Handover, 'pauses'> & Due,
  now: Instant,
): Readonly<Record<string, number>> =>
  pauses ?? Object.fromEntries(Object.entries(paces).map(([key, due]) => [key, leftUntil(due, now)]));

/** Returns the running commands, each with the time that remains until its time limit. */
export const commandsLeft = (
  { commands }: { readonly commands: readonly DueCommand[] },
  now: Instant,
): readonly HandedCommand[] =>
  commands.map(({ until, ...command }) =>
    until === undefined ? command : { ...command, left: leftUntil(until, now) },
  );

/** Returns the message about an upgrade. `resumed`: why it failed and the old program continues. */
export const upgradeText = ({ from, to }: Pick<Handover, 'from' | 'to'>, resumed?: string): string =>
  resumed === undefined
    ? `supervisor upgraded from sup ${from} to sup ${to}`
    : `ERR0503 sup ${to} failed while it took over (${resumed}): sup ${from} goes on`;

/** Returns the warning that the supervisor runs from `script`, which is a copy of its program. */
export const copyText = (script: string): string =>
  `an upgrade failed, and the supervisor runs from a copy of its program (${script}): sup upgrade, once one that works is installed`;

/**
 * Returns the warning that the installed program differs from the running program. `script`: the path of the
 * installed one.
 */
export const replacedText = (script: string): string =>
  `the program was replaced (${script}), and the supervisor still runs the one from before: sup upgrade (stops no service)`;
