// The paths below the data directory (`docs/behaviour.md`, "Names and places"). Names were checked at load,
// so joining them is safe.
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
  /** The process that holds the FIFOs open while no supervisor runs: pid and start time. */
  readonly keeper: string;
  /** A FIFO without a writer, on which that process blocks. */
  readonly silence: string;
  /** Service output that was read but is not in the logs yet. */
  readonly output: string;
  /** Holds the socket's real path if `socket` itself is too long for the kernel. */
  readonly socketPointer: string;
  /** Disk space to give up when the disk is full. */
  readonly reserve: string;
  /** The state that one program hands over to the next in the same process. */
  readonly handover: string;
  /** Copies of the running program, in case its successor fails. */
  readonly programs: string;
  /** The program that a guardian starts instead of its own: Node and supervisor, one per line. */
  readonly successor: string;
  /** Why the supervisor re-executed itself; the next program reports it. */
  readonly broke: string;
  /** How far it had shown the output of services by then. */
  readonly shown: string;
  /** A shutdown that is under way. */
  readonly closing: string;
  readonly registry: string;
  readonly units: string;
  /** One file for each running command on behalf of a service, named by its mark. */
  readonly commands: string;
  readonly projects: string;
  /** Purged files until they are removed, on the file system where they were. */
  readonly purged: Readonly<Record<LeftoverKind, string>>;
  readonly supervisorLogs: string;
  /** One `sup.event/1` per line; older files carry `.1`. */
  readonly events: string;
  readonly projectState: (project: ProjectId) => string;
  /** Changes since the write of the state file that names it. */
  readonly journal: (project: ProjectId, name: string) => string;
  readonly runDir: (project: ProjectId) => string;
  /** The FIFO of a stream; the second lane's has a `+`, which no service name contains. */
  readonly fifo: (service: ServiceId, stream: OutputStream, lane?: FifoPair) => string;
  /** The FIFO of a child of the service. */
  readonly childFifo: (service: ServiceId, child: ChildOutput) => string;
  readonly logDir: (project: ProjectId) => string;
  /** The active log file; rotated ones carry `.1` (newest) to `.N`. */
  readonly log: (service: ServiceId) => string;
}

/** Matches the names of `journal` files. */
export const JOURNAL_NAME = /^changes-[0-9a-f]+\.jsonl$/;

/** Matches the names of `childFifo` files; no name contains `+`. */
const CHILD_FIFO = /^([^+]+)\+(\d+)\.(.+)$/;

/** Returns the service and child that a file of `runDir` belongs to; `undefined` for other files. */
export const childOfFifo = (
  file: string,
): { readonly service: string; readonly child: ChildOutput } | undefined => {
  const [, service, run, name] = CHILD_FIFO.exec(file) ?? [];
  if (service === undefined || name === undefined) return undefined;
  return { service, child: { name, run: runId(Number(run)) } };
};

/** Returns the paths only; nothing is read or created. */
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
