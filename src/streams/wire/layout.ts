// The paths of files below the data directory (`docs/behaviour.md`, "Names and places"). Project and service
// names were checked when the manifest was loaded, so they are safe as parts of paths.
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
   * Contains pid and start time of the FIFO holder, the process that keeps the FIFOs open while no supervisor
   * runs.
   */
  readonly keeper: string;
  /** A FIFO that is never written to. The FIFO holder waits by reading it. */
  readonly silence: string;
  /** Service output that the supervisor has read but not yet written to the logs. */
  readonly output: string;
  /** Contains the real path of the socket if the path `socket` is too long for the kernel. */
  readonly socketPointer: string;
  /** A file that reserves disk space; it is removed when the disk is full. */
  readonly reserve: string;
  /** The state that a program hands over to the next one in the same process (upgrade, re-exec). */
  readonly handover: string;
  /** Copies of the running program. The supervisor returns to such a copy if an upgrade fails. */
  readonly programs: string;
  /**
   * The paths of the Node binary and the supervisor program that a guardian must start instead of its own,
   * one per line.
   */
  readonly successor: string;
  /** The reason why the supervisor re-executed itself; the next program reports it. */
  readonly broke: string;
  /** How much service output a supervisor in the foreground had shown when it re-executed itself. */
  readonly shown: string;
  /** A file that exists while a shutdown is in progress. */
  readonly closing: string;
  readonly registry: string;
  readonly units: string;
  /** One file for each running command on behalf of a service, named by the command's run tag. */
  readonly commands: string;
  readonly projects: string;
  /** Purged files are moved here, within the same file system, until they are removed. */
  readonly purged: Readonly<Record<LeftoverKind, string>>;
  readonly supervisorLogs: string;
  /** One `sup.event/1` document per line; rotated files end in `.1` and so on. */
  readonly events: string;
  readonly projectState: (project: ProjectId) => string;
  /**
   * The journal with this name: the changes since the project's state file was written, which contains the
   * name.
   */
  readonly journal: (project: ProjectId, name: string) => string;
  readonly runDir: (project: ProjectId) => string;
  /**
   * The FIFO of an output stream. In the second FIFO pair of a service the name contains `+`, which no
   * service name contains.
   */
  readonly fifo: (service: ServiceId, stream: OutputStream, lane?: FifoPair) => string;
  /** The FIFO that a child of the service writes its output into. */
  readonly childFifo: (service: ServiceId, child: ChildOutput) => string;
  readonly logDir: (project: ProjectId) => string;
  /** The active log file; rotated files end in `.1` (newest) to `.N`. */
  readonly log: (service: ServiceId) => string;
}

/** Matches the names of journal files, as `journal` makes them. */
export const JOURNAL_NAME = /^changes-[0-9a-f]+\.jsonl$/;

/**
 * Matches the names of FIFOs of children, as `childFifo` makes them. Names of services and children contain
 * no `+`.
 */
const CHILD_FIFO = /^([^+]+)\+(\d+)\.(.+)$/;

/**
 * Returns the service and the child to which a file in the directory `runDir` belongs; `undefined` for other
 * files.
 */
export const childOfFifo = (
  file: string,
): { readonly service: string; readonly child: ChildOutput } | undefined => {
  const [, service, run, name] = CHILD_FIFO.exec(file) ?? [];
  if (service === undefined || name === undefined) return undefined;
  return { service, child: { name, run: runId(Number(run)) } };
};

/** Returns the paths below this data directory; does not access the file system. */
export const layoutOf = (dataDir: string): Layout => {
  const projectDir = (project: ProjectId): string => `${dataDir}/projects/${project}`;
  return {
    dataDir,
    settings: `${dataDir}/supervisor.xml`,
    lock: `${dataDir}/supervisor.lock`,
    pid: `${dataDir}/sup.pid`,
    socket: `${dataDir}/control.sock`,
    keeper: `${dataDir}/keeper.pid`,
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
    units: `${dataDir}/units`,
    commands: `${dataDir}/commands`,
    projects: `${dataDir}/projects`,
    purged: { logs: `${dataDir}/logs/.purged`, state: `${dataDir}/projects/.purged` },
    supervisorLogs: `${dataDir}/logs`,
    events: `${dataDir}/logs/events.jsonl`,
    projectState: (project) => `${projectDir(project)}/state.json`,
    journal: (project, name) => `${projectDir(project)}/changes-${name}.jsonl`,
    runDir: (project) => `${projectDir(project)}/run`,
    fifo: (service, stream, lane = 0) =>
      `${projectDir(projectOf(service))}/run/${nameOf(service)}${lane === 1 ? '+' : ''}.${stream}`,
    childFifo: (service, { name, run }) =>
      `${projectDir(projectOf(service))}/run/${nameOf(service)}+${run}.${name}`,
    logDir: (project) => `${dataDir}/logs/${project}`,
    log: (service) => `${dataDir}/logs/${projectOf(service)}/${nameOf(service)}.log`,
  };
};
