// `sup status` if no supervisor answers: shows the records, but a process only if it provably lives. The
// health of a living process is shown as unknown.
// Rules: `docs/behaviour.md`, "Without a supervisor", "status".
import type { Selection } from '../streams/domain/command.ts';
import { NO_PROCESS, sameProcess, type ProcessRef } from '../streams/domain/service/process.ts';
import type { Service } from '../streams/domain/service/service.ts';
import { instant } from '../streams/domain/time.ts';
import { withGroups } from '../streams/views/group-document.ts';
import { statusDocument } from '../streams/views/status-document.ts';
import type {
  ServiceDocument,
  StatusDocument,
  SupervisorDocument,
} from '../streams/wire/documents/documents.ts';
import type { ProjectSpec } from '../streams/domain/declared/manifest.ts';
import { type DataPlace, readRecorded, selectRecorded } from './recorded.ts';
import { recordedPid } from './control-socket.ts';
import { startTicksOf } from '../os/proc/process-stat.ts';

/** Returns the recorded main process of a service; `undefined` if it has none. */
const recordedProcess = ({ actual }: Service): ProcessRef | undefined =>
  'process' in actual ? actual.process : undefined;

const alive = (process: ProcessRef | undefined): boolean =>
  process !== undefined && startTicksOf(process.pid) === process.startTicks;

/**
 * Returns the recorded document of a service with corrections. If the service has a recorded process, its
 * health is unknown. If this process has exited, the state of the service is `lost`.
 */
export const offlineService = <D extends ServiceDocument>(shown: D, service: Service): D => {
  // A supervisor that ends records all services as down. `resume` marks those that the user wants up.
  const document: D = service.resume ? { ...shown, wanted: 'up' } : shown;
  const process = recordedProcess(service);
  // Without a process no run is in progress. The recorded health, which is that of the last run, is then
  // kept.
  const health = process === undefined ? document.health : 'unknown';
  const usage = { health, cpu_percent: null, rss_bytes: null };
  if (process === undefined) return { ...document, ...usage, pid: null };
  if (alive(process))
    return { ...document, ...usage, pid: process.pid, reason: 'alive; this is what was last recorded' };
  const reason = `was ${document.state} ${whenLast(process)}`;
  return { ...document, ...usage, pid: null, state: 'lost', reason };
};

/** Returns words that say when the process last ran. After a reboot the recorded process is `NO_PROCESS`. */
const whenLast = (process: ProcessRef): string =>
  sameProcess(process, NO_PROCESS)
    ? 'before the machine was rebooted'
    : `(pid ${process.pid}) when it was last recorded`;

/** Returns the supervisor's part of the document. `mute` says why a running supervisor did not answer. */
export const offlineSupervisor = (dataDir: string, mute: string | undefined): SupervisorDocument => ({
  running: mute !== undefined,
  pid: mute === undefined ? null : (recordedPid(dataDir) ?? null),
  version: null,
  since: null,
  restarts: null,
  process_start: null,
  warnings: mute === undefined ? [] : [mute],
});

interface Records extends DataPlace {
  /** Returns the projects with their display names. Without this function the ids are shown as names. */
  readonly named?: (projects: readonly ProjectSpec[]) => readonly ProjectSpec[];
}

/** Returns the recorded document of `sup status`. `mute` says why a running supervisor did not answer. */
export const offlineStatus = (
  { dataDir, named = (projects) => projects }: Records,
  selection: Selection,
  mute: string | undefined,
): StatusDocument => {
  const recorded = readRecorded({ dataDir });
  selectRecorded(recorded, selection);
  const byId = new Map<string, Service>(recorded.services.map((service) => [service.spec.id, service]));
  const supervisor = offlineSupervisor(dataDir, mute);
  const document = statusDocument({
    services: recorded.services,
    projects: named(Object.values(recorded.projects)),
    supervisor: { ...supervisor, warnings: [...supervisor.warnings, ...recorded.warnings] },
    now: instant(Date.now()),
    selection,
  });
  const projects = document.projects.map((project) =>
    withGroups({
      ...project,
      services: project.services.map((shown) => {
        const service = byId.get(`${project.id}/${shown.name}`);
        return service === undefined ? shown : offlineService(shown, service);
      }),
    }),
  );
  return { ...document, projects };
};
