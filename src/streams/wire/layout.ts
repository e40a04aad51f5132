// The paths of files below the data directory (`docs/behaviour.md`, "Names and places"). Names of projects
// and services were checked at load, so they are safe in paths.
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
  /** The socket on which services report events, in a directory that stays visible to all of them. */
  readonly serviceSocket: string;
  /** Pid and start time of the process that keeps FIFOs open while no supervisor runs. */
  readonly keeper: string;
  /** An empty FIFO. The FIFO holder waits by reading from it. */
  readonly silence: string;
  /** Service output that was read and is not in the logs yet. */
  readonly output: string;
  /** The real path of the socket, if `socket` is too long for the kernel. */
  readonly socketPointer: string;
  /** A file that reserves disk space; removed when the disk is full. */
  readonly reserve: string;
  /** State for the next program in the same process (upgrade, re-exec). */
  readonly handover: string;
  /** Copies of the running program, for when an upgrade fails. */
  readonly programs: string;
  /** Node binary and program that a guardian must start instead of its own, one per line. */
  readonly successor: string;
  /** Why the supervisor re-executed itself, for the next program to report. */
  readonly broke: string;
  /** How much output a supervisor in the foreground had shown when it re-executed itself. */
  readonly shown: string;
  /** A file that exists while a shutdown is in progress. */
  readonly closing: string;
  readonly registry: string;
  /** Open incidents, and alerts that are not delivered yet. */
  readonly alerts: string;
  readonly units: string;
  /** A file for each running command on behalf of a service, named by its run tag. */
  readonly commands: string;
  readonly projects: string;
  /** Where purged files are, until they are removed. */
  readonly purged: Readonly<Record<LeftoverKind, string>>;
  readonly supervisorLogs: string;
  /** One `sup.event/1` document per line; rotated files end in `.1` and so on. */
  readonly events: string;
  readonly projectState: (project: ProjectId) => string;
  /** Changes since the project's state file, which names the journal, was written. */
  readonly journal: (project: ProjectId, name: string) => string;
  readonly runDir: (project: ProjectId) => string;
  /** The FIFO of an output stream; in the second pair its name has a `+`. */
  readonly fifo: (service: ServiceId, stream: OutputStream, lane?: FifoPair) => string;
  /** The FIFO that a child of a service writes its output into. */
  readonly childFifo: (service: ServiceId, child: ChildOutput) => string;
  readonly logDir: (project: ProjectId) => string;
  /** The active log file; rotated files end in `.1` (newest) to `.N`. */
  readonly log: (service: ServiceId) => string;
}

/** Matches the names of journal files. */
export const JOURNAL_NAME = /^changes-[0-9a-f]+\.jsonl$/;

/** Names of FIFOs of children. Names of services and children contain no `+`. */
const CHILD_FIFO = /^([^+]+)\+(\d+)\.(.+)$/;

/** Returns the service and child of a FIFO in `runDir`, if it is one of a child. */
export const childOfFifo = (
  file: string,
): { readonly service: string; readonly child: ChildOutput } | undefined => {
  const [, service, run, name] = CHILD_FIFO.exec(file) ?? [];
  if (service === undefined || name === undefined) return undefined;
  return { service, child: { name, run: runId(Number(run)) } };
};

/** Returns the paths below this data directory, without access to the file system. */
export const layoutOf = (dataDir: string): Layout => {
  const projectDir = (project: ProjectId): string => `${dataDir}/projects/${project}`;
  return {
    dataDir,
    settings: `${dataDir}/supervisor.xml`,
    lock: `${dataDir}/supervisor.lock`,
    pid: `${dataDir}/sup.pid`,
    socket: `${dataDir}/control.sock`,
    serviceSocket: `${dataDir}/run/sup.sock`,
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
    fifo: (service, stream, lane = 0) =>
      `${projectDir(projectOf(service))}/run/${nameOf(service)}${lane === 1 ? '+' : ''}.${stream}`,
    childFifo: (service, { name, run }) =>
      `${projectDir(projectOf(service))}/run/${nameOf(service)}+${run}.${name}`,
    logDir: (project) => `${dataDir}/logs/${project}`,
    log: (service) => `${dataDir}/logs/${projectOf(service)}/${nameOf(service)}.log`,
  };
};
