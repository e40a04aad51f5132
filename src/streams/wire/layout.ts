// The paths of the files below the data directory (`docs/behaviour.md`, "Names and places"). Names of
// projects and services are safe in paths, because they were checked when the manifest was loaded.
import type { FifoPair } from '../domain/service/process.ts';
import type { ChildOutput } from '../domain/ports.ts';
import { nameOf, projectOf, runId, type ProjectId, type ServiceId } from '../domain/ids.ts';
import type { OutputStream } from './log-line.ts';
import type { LeftoverKind } from './protocol.ts';

export interface Layout {
  readonly dataDir: string;
  readonly settings: string;
  readonly lock: string;
  readonly pid: string;
  readonly socket: string;
  /**
   * The socket on which services send requests, such as events. It is in a directory that all services can
   * see.
   */
  readonly serviceSocket: string;
  /**
   * The file with pid and start time of the FIFO holder, which is the process that keeps FIFOs open without a
   * supervisor.
   */
  readonly fifoHolderPid: string;
  /** A FIFO that never has data. The FIFO holder waits by reading from it. */
  readonly silence: string;
  /** A file with the output of services that was read and is not in their logs yet. */
  readonly output: string;
  /** A file with the real path of the socket, if the path `socket` is too long for a socket address. */
  readonly socketPointer: string;
  /** A file that reserves disk space. It is removed when the disk is full. */
  readonly reserve: string;
  /** A file with the handover document for the next program in the same process (upgrade, re-exec). */
  readonly handover: string;
  /** A directory with copies of the running program. They are used if an upgrade fails. */
  readonly programs: string;
  /**
   * A file with the paths of the Node binary and the program that a guardian must start instead of its own,
   * one path per line.
   */
  readonly successor: string;
  /** A file with the reason why the supervisor re-executed itself. The next program reports it. */
  readonly broke: string;
  /**
   * A file that says how much output a supervisor in the foreground has shown. It is written before a
   * re-exec.
   */
  readonly shown: string;
  /** A file that exists while a shutdown is in progress. */
  readonly closing: string;
  readonly registry: string;
  /** A file with the open incidents and the alerts that are not delivered yet. */
  readonly alerts: string;
  readonly units: string;
  /**
   * A directory with one file for each running command on behalf of a service. The file is named by the
   * command's run tag.
   */
  readonly commands: string;
  readonly projects: string;
  /** The directories for files that are purged. The files are moved there before they are removed. */
  readonly purged: Readonly<Record<LeftoverKind, string>>;
  readonly supervisorLogs: string;
  /** The log of events, one `sup.event/1` document per line. Rotated files end in `.1`, `.2` and so on. */
  readonly events: string;
  readonly projectState: (project: ProjectId) => string;
  /**
   * Returns the path of a journal, which has the changes since the project's state file was written. `name`:
   * the name of the journal, which the state file contains.
   */
  readonly journal: (project: ProjectId, name: string) => string;
  readonly runDir: (project: ProjectId) => string;
  /** Returns the path of the FIFO for an output stream. A FIFO of the second pair has a `+` in its name. */
  readonly fifo: (service: ServiceId, stream: OutputStream, fifoPair?: FifoPair) => string;
  /** Returns the path of the FIFO into which a child of a service writes its output. */
  readonly childFifo: (service: ServiceId, child: ChildOutput) => string;
  readonly logDir: (project: ProjectId) => string;
  /** Returns the path of the active log file. Rotated files end in `.1` (newest) to `.N`. */
  readonly log: (service: ServiceId) => string;
}

/** Matches the names of journal files. */
export const JOURNAL_NAME = /^changes-[0-9a-f]+\.jsonl$/;

/** Matches the names of FIFOs of children. Names of services and children contain no `+`. */
const CHILD_FIFO = /^([^+]+)\+(\d+)\.(.+)$/;

/**
 * Returns the service and the child of a FIFO in `runDir`; `undefined` if the FIFO is not the FIFO of a
 * child.
 */
export const childOfFifo = (
  file: string,
): { readonly service: string; readonly child: ChildOutput } | undefined => {
  const [, service, run, name] = CHILD_FIFO.exec(file) ?? [];
  if (service === undefined || name === undefined) return undefined;
  return { service, child: { name, run: runId(Number(run)) } };
};

/** Returns the paths below this data directory. Does not access the file system. */
export const layoutOf = (dataDir: string): Layout => {
  const projectDir = (project: ProjectId): string => `${dataDir}/projects/${project}`;
  return {
    dataDir,
    settings: `${dataDir}/supervisor.xml`,
    lock: `${dataDir}/supervisor.lock`,
    pid: `${dataDir}/sup.pid`,
    socket: `${dataDir}/control.sock`,
    serviceSocket: `${dataDir}/run/sup.sock`,
    fifoHolderPid: `${dataDir}/keeper.pid`,
    silence: `${dataDir}/keeper.fifo`,
    output: `${dataDir}/output.buffer`,
    socketPointer: `${dataDir}/control.path`,
    reserve: `${dataDir}/reserve`,
    handover: `${dataDir}/handover.json`,
    programs: `${dataDir}/program`,
    successor: `${dataDir}/supervisor.program`,
    broke: `${dataDir}/supervisor.broke`,
    shown: `${dataDir}/supervisor.shown`,
    closing: `${dataDir}/supervisor.closing`,
    registry: `${dataDir}/registry.json`,
    alerts: `${dataDir}/alerts.json`,
    units: `${dataDir}/units`,
    commands: `${dataDir}/commands`,
    projects: `${dataDir}/projects`,
    purged: { logs: `${dataDir}/logs/.purged`, state: `${dataDir}/projects/.purged` },
    supervisorLogs: `${dataDir}/logs`,
    events: `${dataDir}/logs/events.jsonl`,
    projectState: (project) => `${projectDir(project)}/state.json`,
    journal: (project, name) => `${projectDir(project)}/changes-${name}.jsonl`,
    runDir: (project) => `${projectDir(project)}/run`,
    fifo: (service, stream, fifoPair = 0) =>
      `${projectDir(projectOf(service))}/run/${nameOf(service)}${fifoPair === 1 ? '+' : ''}.${stream}`,
    childFifo: (service, { name, run }) =>
      `${projectDir(projectOf(service))}/run/${nameOf(service)}+${run}.${name}`,
    logDir: (project) => `${dataDir}/logs/${project}`,
    log: (service) => `${dataDir}/logs/${projectOf(service)}/${nameOf(service)}.log`,
  };
};
