// What a format that can be exported to consists of.
import type { ServiceSpec } from '../streams/domain/declared/spec.ts';
import type { Loss, SourceLine, RowDescription, Setting } from './key-table.ts';

export interface ExportedService {
  readonly spec: ServiceSpec;
  /** The number of instances; absent without `replicas`. */
  readonly replicas?: number;
  /** True if the service ends: it is never restarted, or another one waits until it has completed. */
  readonly isOneShot: boolean;
  /** The value of `x-image`, or of `--image`. */
  readonly image?: string;
  /** The profiles of which one has to be chosen for the service to exist. */
  readonly profiles?: readonly string[];
  readonly place: SourceLine;
  /** The dotted keys that the manifest has for the service, inherited ones too, with their places. */
  readonly declared: readonly Pick<Setting, 'key' | 'place'>[];
}

interface ExportedFile {
  /** The name of the file in the directory of `--out`. */
  readonly name: string;
  readonly text: string;
}

export interface Exported {
  readonly files: readonly ExportedFile[];
  readonly losses: readonly Loss[];
}

export interface ExportFormat {
  readonly name: string;
  /** How sentences call the target: `Kubernetes`. */
  readonly title: string;
  readonly needsImage?: true;
  /** Writes the services, which are in the order of the manifest. `name`: that of the whole, as a project. */
  readonly write: (services: readonly ExportedService[], name: string) => Exported;
  /** The table, for the page of the format. */
  readonly rows: readonly RowDescription[];
}
