// Input of the views: the latest state, which the composition root reads from the kernel.
import type { Selection } from '../domain/command.ts';
import type { ServiceId } from '../domain/ids.ts';
import type { ProjectSpec } from '../domain/declared/manifest.ts';
import type { Service } from '../domain/service/service.ts';
import type { Settings } from '../domain/declared/settings.ts';
import type { Instant } from '../domain/time.ts';
import type { Counted } from '../metrics/sample.ts';
import type { Selected } from '../selection/select.ts';
import type { SupervisorDocument } from '../wire/documents/documents.ts';

/** CPU and memory of a service; absent until it is sampled. */
export interface Usage {
  readonly cpuPercent?: number;
  readonly rssBytes?: number;
}

/** One process of a service, with its kernel name and command line, if they can be read. */
export interface NamedProcess extends Counted {
  readonly name: string | undefined;
  readonly command: readonly string[] | undefined;
}

export type LookUp = (id: ServiceId) => Service | undefined;

/** Looks up services among these only. */
export const lookUpIn = (services: readonly Service[]): LookUp => {
  const byId = new Map(services.map((service) => [service.spec.id, service]));
  return (id) => byId.get(id);
};

export interface Snapshot {
  /** In display order. */
  readonly services: readonly Service[];
  readonly byId: LookUp;
  readonly projects: readonly ProjectSpec[];
  readonly supervisor: SupervisorDocument;
  readonly settings: Settings;
  readonly dataDir: string;
  readonly now: Instant;
  /** The services that a selection names, or the error that says what is wrong with it. */
  readonly select: (selection: Selection) => Selected;
  readonly usage?: (id: ServiceId) => Usage | undefined;
  /**
   * Its processes as last sampled, and those of its spawned children; absent unless the `detailed` mode of
   * `status` requests them.
   */
  readonly processes?: (id: ServiceId) => readonly NamedProcess[] | undefined;
}
