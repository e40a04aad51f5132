// The input of the views: the latest state, and functions that read current measurements.
import type { OpenIncident } from '../alerts/incidents.ts';
import type { Selection } from '../domain/command.ts';
import type { ServiceId } from '../domain/ids.ts';
import type { ProjectSpec, Readings, ServiceProfiles } from '../domain/declared/manifest.ts';
import type { ListeningPort } from '../domain/service/port.ts';
import type { Service } from '../domain/service/service.ts';
import type { Settings } from '../domain/declared/settings.ts';
import type { Instant } from '../domain/time.ts';
import type { Counted } from '../metrics/sample.ts';
import type { Selected } from '../selection/select.ts';
import type { SupervisorDocument } from '../wire/documents/documents.ts';

/** CPU use in percent of one core, and memory use. Both are absent before the first sample. */
export interface Usage {
  readonly cpuPercent?: number;
  readonly rssBytes?: number;
}

/**
 * A process of a service, with its command line and the name that Linux shows for it, if they can be read.
 */
export interface NamedProcess extends Counted {
  readonly name: string | undefined;
  readonly command: readonly string[] | undefined;
}

export type LookUp = (id: ServiceId) => Service | undefined;

/** Returns a function that finds one of these services by its id. */
export const lookUpIn = (services: readonly Service[]): LookUp => {
  const byId = new Map(services.map((service) => [service.spec.id, service]));
  return (id) => byId.get(id);
};

export interface Snapshot {
  /** All services, in the order in which they are shown. */
  readonly services: readonly Service[];
  readonly byId: LookUp;
  readonly projects: readonly ProjectSpec[];
  /**
   * The files and profiles with which each manifest is read, and its services with profiles. The keys are the
   * paths of manifests.
   */
  readonly readings?: Readings | undefined;
  readonly profiles?: Readonly<Record<string, readonly ServiceProfiles[]>> | undefined;
  readonly supervisor: SupervisorDocument;
  readonly settings: Settings;
  readonly dataDir: string;
  readonly now: Instant;
  /** Returns the selected services, or the error about a name in the selection. */
  readonly select: (selection: Selection) => Selected;
  /**
   * The incidents that have begun and not ended. A message about each of them was sent, or could not be
   * delivered.
   */
  readonly incidents?: readonly OpenIncident[];
  readonly usage?: (id: ServiceId) => Usage | undefined;
  /** Returns the ports that the service listens on; `undefined` if that is not known. */
  readonly listening?: (id: ServiceId) => readonly ListeningPort[] | undefined;
  /**
   * Returns the processes of a service at the last sample. The function is absent unless `snapshot_mode` is
   * `detailed`.
   */
  readonly processes?: (id: ServiceId) => readonly NamedProcess[] | undefined;
}
