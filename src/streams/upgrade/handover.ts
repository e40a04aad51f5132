// The data that a supervisor hands over to the program that replaces it in the same process
// (`docs/reliability.md`, "Upgrade"). This is one JSON document. It contains everything that the new program
// can read neither from the state files nor from the process table.
import type { Selection } from '../domain/command.ts';
import type { Event, Found } from '../domain/event.ts';
import type { HandedCommand, Unbegun } from '../domain/handed-commands.ts';
import type { RequestId, ServiceId } from '../domain/ids.ts';
import type { ExitStatus } from '../domain/service/exit-status.ts';
import type { ProcessRef } from '../domain/service/process.ts';
import type { Service } from '../domain/service/service.ts';
import type { Instant } from '../domain/time.ts';
import type { Gate } from '../gate/start-places.ts';
import type { Request } from '../kernel/requests/request.ts';
import type { SupervisorState } from '../kernel/state.ts';
import { isFields } from '../wire/params/checked-fields.ts';
import type { LogEntry } from '../wire/log-line.ts';

/**
 * The version of the document. It is incremented if an older program would misread the document. If the
 * versions of two programs differ, both programs refuse the upgrade.
 */
export const HANDOVER_FORMAT = 1;

/** The part of the supervisor's state that is not in the state files. */
interface HandedState extends Pick<
  SupervisorState,
  'projects' | 'manifests' | 'readings' | 'profiles' | 'scales' | 'status' | 'metrics'
> {
  /** The declarations for the whole supervisor, by manifest. Absent if an older program made the document. */
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

/** The position in the log of a service up to which its output was shown in the foreground. */
export interface ShownPlace {
  readonly service: ServiceId;
  /**
   * The inode of the log file, which a rename does not change, and the number of shown bytes. Both are absent
   * if the file did not exist yet.
   */
  readonly inode?: number;
  readonly offset?: number;
  /** The parts of a long line that were read already, if the end of this line was not read yet. */
  readonly parts: readonly LogEntry[];
}

/** The output of all services that a supervisor in the foreground has written to its standard output. */
export interface ShownOutput {
  /** The supervisor wrote only output that the services printed after this time. */
  readonly since: string;
  readonly places: readonly ShownPlace[];
  /** Output in base64 that counts as shown but is not written yet, because standard output is read slowly. */
  readonly unwritten?: string;
}

/** Returns the value if it has the form of `ShownOutput`, otherwise `undefined`. */
export const shownIn = (value: unknown): ShownOutput | undefined =>
  isFields(value) && typeof value['since'] === 'string' && Array.isArray(value['places'])
    ? (value as unknown as ShownOutput)
    : undefined;

/** The client that requested the upgrade. The new program sends the answer to this client. */
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
  /** The time when the upgrade began, and the time when it must be complete, in ms since 1970. */
  readonly began: number;
  readonly deadline: number;
  /** The time when this supervisor started, in ISO 8601. */
  readonly since: string;
  readonly asked: UpgradeAsker;
  readonly protocol: number;
  readonly old: OldProgram;
  readonly taken: HandedState;
  readonly services: readonly Service[];
  /** The events that the old program received and did not process, oldest first. */
  readonly events: readonly Event[];
  /** The runs for which the new program must start a process. */
  readonly unbegun?: readonly Unbegun[];
  readonly listening: number;
  readonly clients: readonly HandedClient[];
  readonly sockets: readonly HandedSocket[];
  /**
   * The notification sockets of runs. If an older program made the document, they are absent, and the new
   * program opens them again.
   */
  readonly notifySockets?: readonly HandedNotifySocket[];
  readonly commands: readonly HandedCommand[];
  /** The exit statuses that the old program did not report yet. */
  readonly exits: readonly { readonly process: ProcessRef; readonly status: ExitStatus }[];
  /** The time until the next attempt of each health probe, in ms, by the key of the probe's watch. */
  readonly pauses?: Readonly<Record<string, number>>;
  /** The services with output that the old program was reading. Absent if they are not known. */
  readonly outputs?: readonly ServiceId[];
  /**
   * The output that a supervisor in the foreground has shown. Absent if the supervisor is in the background.
   */
  readonly shown?: ShownOutput;
  /**
   * Descriptors for reading FIFOs. They stay open until the new program has opened the FIFOs, so that no
   * output is lost.
   */
  readonly surplus: readonly number[];
}

/**
 * The received document. `resumed`: present if this is the old program, which continues after a failed
 * upgrade. It says why the upgrade failed.
 */
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

/**
 * Returns the value if it is a handover document; `undefined` otherwise. Only the top level is checked here.
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
 * The fields with times in a document of an older program. They are moments in ms since 1970, and not
 * remaining times. After a change of the clock they are wrong.
 */
interface Due {
  readonly paces?: Readonly<Record<string, number>>;
}
interface DueCommand extends HandedCommand {
  readonly until?: number;
}

const leftUntil = (due: number, now: Instant): number => Math.max(0, due - now);

/** Returns the time until the next attempt of each health probe, in ms, by the key of the probe's watch. */
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

/**
 * Returns the message about an upgrade. `resumed`: why the upgrade failed, so that the old program continues.
 */
export const upgradeText = ({ from, to }: Pick<Handover, 'from' | 'to'>, resumed?: string): string =>
  resumed === undefined
    ? `supervisor upgraded from sup ${from} to sup ${to}`
    : `ERR0503 sup ${to} failed while it took over (${resumed}): sup ${from} goes on`;

/** Returns the warning that the supervisor runs from `script`, which is a copy of its program. */
export const copyText = (script: string): string =>
  `an upgrade failed, and the supervisor runs from a copy of its program (${script}): sup upgrade, once one that works is installed`;

/**
 * Returns the warning that the installed program differs from the running program. `script`: the path of the
 * installed program.
 */
export const replacedText = (script: string): string =>
  `the program was replaced (${script}), and the supervisor still runs the one from before: sup upgrade (stops no service)`;
