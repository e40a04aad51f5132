// What the views are made of: the latest state, as the composition root reads it off the kernel.
import type { Selection } from '../domain/command.ts';
import type { ServiceId } from '../domain/ids.ts';
import type { ProjectSpec } from '../domain/declared/manifest.ts';
import type { Service } from '../domain/service/service.ts';
import type { Settings } from '../domain/declared/settings.ts';
import type { Instant } from '../domain/time.ts';
import type { Counted } from '../metrics/tree-usage.ts';
import type { Selected } from '../selection/select.ts';
import type { SupervisorDocument } from '../wire/documents/documents.ts';

/** What a service uses of the machine; absent where nothing has been sampled yet. */
export interface Usage {
  readonly cpuPercent?: number;
  readonly rssBytes?: number;
}

/** One process of a service, with what the kernel calls it and its command line, as far as they can be read. */
export interface NamedProcess extends Counted {
  readonly name: string | undefined;
  readonly command: readonly string[] | undefined;
}

export type LookUp = (id: ServiceId) => Service | undefined;

/** Among these services only. */
export const lookUpIn = (services: readonly Service[]): LookUp => {
  const byId = new Map(services.map((service) => [service.spec.id, service]));
  return (id) => byId.get(id);
};

export interface Snapshot {
  /** In the order in which they are shown. */
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
   * Its processes as last sampled, and those of the children that it has asked for; absent unless the `detailed` mode of
   * `status` asks for them.
   */
  readonly processes?: (id: ServiceId) => readonly NamedProcess[] | undefined;
}
