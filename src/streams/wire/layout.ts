// Where everything lies below the data directory (`docs/behaviour.md`, "Names and places"). Names were checked at load,
// so joining is safe.
import type { Lane } from '../domain/service/process.ts';
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
  /** Who holds the FIFOs open when the supervisor is gone: pid and start time. */
  readonly keeper: string;
  /** A FIFO that nobody writes into: where a process waits that only holds others open. */
  readonly silence: string;
  /** What was read of services and is not in their logs yet. */
  readonly output: string;
  /** Holds the socket's real path where `socket` itself would be too long for the kernel. */
  readonly socketPointer: string;
  /** Space that is given up when the disk is full. */
  readonly reserve: string;
  /** What one program hands over to the next in the same process. */
  readonly handover: string;
  /** Copies of the program that is at work, for the case that another one fails in its place. */
  readonly programs: string;
  /** The program that a guardian begins instead of its own: Node and supervisor, a line each. */
  readonly successor: string;
  /** Why the supervisor executed itself anew: what the next program tells. */
  readonly broke: string;
  /** How far it had shown then what services print. */
  readonly shown: string;
  /** An end that is under way. */
  readonly closing: string;
  readonly registry: string;
  readonly units: string;
  /** A file for each command on behalf of a service that is under way, named by its mark. */
  readonly commands: string;
  readonly projects: string;
  /** What was purged, until it is removed: on the file system where it was. */
  readonly purged: Readonly<Record<LeftoverKind, string>>;
  readonly supervisorLogs: string;
  /** What happened, a `sup.event/1` a line; older ones carry `.1`. */
  readonly events: string;
  readonly projectState: (project: ProjectId) => string;
  /** What changed since the state was written that names it. */
  readonly journal: (project: ProjectId, name: string) => string;
  readonly runDir: (project: ProjectId) => string;
  /** Of the second lane beside another run of the service: its name is one that no service has. */
  readonly fifo: (service: ServiceId, stream: OutputStream, lane?: Lane) => string;
  /** What a child of the service prints. */
  readonly childFifo: (service: ServiceId, child: ChildOutput) => string;
  readonly logDir: (project: ProjectId) => string;
  /** The active log file; rotated ones carry `.1` (newest) to `.N`. */
  readonly log: (service: ServiceId) => string;
}

/** Names of the files that `journal` gives. */
export const JOURNAL_NAME = /^changes-[0-9a-f]+\.jsonl$/;

/** Of a file that `childFifo` gives: `+` is in no name. */
const CHILD_FIFO = /^([^+]+)\+(\d+)\.(.+)$/;

/** Which child of which service of its project a file of `runDir` belongs to. */
export const childOfFifo = (
  file: string,
): { readonly service: string; readonly child: ChildOutput } | undefined => {
  const [, service, run, name] = CHILD_FIFO.exec(file) ?? [];
  if (service === undefined || name === undefined) return undefined;
  return { service, child: { name, run: runId(Number(run)) } };
};

/** Paths only: nothing is looked at, and nothing is made. */
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
