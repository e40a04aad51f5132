// `sup inspect` if no supervisor answers: shows the records and the samples on disk.
// Rules: `docs/behaviour.md`, "Without a supervisor", "status".
import type { Selection } from '../../streams/domain/command.ts';
import { projectId, serviceId, type ServiceId } from '../../streams/domain/ids.ts';
import type { Service } from '../../streams/domain/service/service.ts';
import { instant } from '../../streams/domain/time.ts';
import { DEFAULT_METRICS } from '../../streams/domain/declared/manifest.ts';
import { diskPlace } from '../../streams/metrics/sample-files.ts';
import { inspectDocument } from '../../streams/views/inspect-document.ts';
import type { InspectDocument } from '../../streams/wire/documents/documents.ts';
import { layoutOf } from '../../streams/wire/layout.ts';
import type { SamplesAnswer } from '../../streams/wire/protocol.ts';
import { loadPorts, type ReadPlace } from '../manifests/manifest-paths.ts';
import { offlineService, offlineSupervisor } from '../offline-status.ts';
import { readRecorded, selectRecorded } from '../recorded.ts';
import { readAlerts } from '../../sources/store/alert-record.ts';
import { statOfProcess } from '../../os/proc/process-stat.ts';
import type { Child } from '../../streams/domain/service/child.ts';
import type { ChildDocument, SpawnDocument } from '../../streams/wire/documents/child-documents.ts';
import { declaredIn } from '../../manifest/load.ts';
import { peekSettings } from '../../manifest/settings/load-settings.ts';

// Without a supervisor, a child is shown as alive only if its recorded process certainly still lives.

const isAlive = ({ actual }: Child): boolean => {
  const stat = 'process' in actual ? statOfProcess(actual.process) : undefined;
  return stat !== undefined && !stat.zombie;
};

const shown = (child: ChildDocument, alive: ReadonlySet<number>): ChildDocument => ({
  ...child,
  ...(alive.has(child.run) ? {} : { state: 'lost', pid: null }),
  children: child.children.map((one) => shown(one, alive)),
});

const livingChildren = (spawn: SpawnDocument, { children = [] }: Service): SpawnDocument => {
  const alive = new Set<number>(children.filter(isAlive).map(({ run }) => run));
  return { ...spawn, children: spawn.children.map((child) => shown(child, alive)) };
};

/** Returns the recorded document of `sup inspect`. `mute` says why a running supervisor did not answer. */
export const offlineInspect = (
  place: ReadPlace,
  selection: Selection,
  mute: string | undefined,
): InspectDocument => {
  const recorded = readRecorded(place);
  const chosen = selectRecorded(recorded, selection);
  const byId = new Map<ServiceId, Service>(recorded.services.map((service) => [service.spec.id, service]));
  const { dataDir, world } = place;
  const supervisor = offlineSupervisor(dataDir, mute);
  const document = inspectDocument({
    services: recorded.services,
    byId: (id) => byId.get(id),
    supervisor: { ...supervisor, warnings: [...supervisor.warnings, ...recorded.warnings] },
    settings: peekSettings(layoutOf(dataDir).settings, world.environment).settings,
    dataDir,
    now: instant(Date.now()),
    incidents: readAlerts(dataDir).open,
  });
  const services = document.services.flatMap((shown) => {
    const service = byId.get(serviceId(projectId(shown.project), shown.name));
    if (service === undefined || !chosen.has(service.spec.id)) return [];
    return [{ ...offlineService(shown, service), spawn: livingChildren(shown.spawn, service) }];
  });
  return { ...document, services };
};

/**
 * Returns the directory of samples on disk, according to the last registered manifest with `metrics`, or to
 * the default settings; `null` if samples are only in memory.
 */
const spillover = (place: ReadPlace): string | null => {
  const { manifests } = readRecorded(place);
  const declared = declaredIn(manifests, loadPorts(place)).flatMap(({ metrics }) => metrics ?? []);
  return diskPlace(declared.at(-1) ?? DEFAULT_METRICS)?.directory ?? null;
};

/** Returns an answer without samples, because only a supervisor has samples in memory. */
export const offlineSamples = (place: ReadPlace, { services }: InspectDocument): SamplesAnswer => ({
  now: instant(Date.now()),
  spillover: spillover(place),
  services: services.map(({ project, name }) => ({ id: serviceId(projectId(project), name), points: [] })),
});
