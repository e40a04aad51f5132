// The type of a format for export, and the type of the services that a format writes.
import type { ServiceSpec } from '../streams/domain/declared/spec.ts';
import type { Loss, SourceLine, RowDescription, Setting } from './key-table.ts';

export interface ExportedService {
  readonly spec: ServiceSpec;
  /** The number of instances; absent without `replicas`. */
  readonly replicas?: number;
  /**
   * True if the service ends by itself: it is never restarted, or another service waits until it has
   * completed.
   */
  readonly isOneShot: boolean;
  /** The image: the value of `--image` or `x-image`. */
  readonly image?: string;
  /** The profiles of the service. The service exists only if at least one of these profiles is chosen. */
  readonly profiles?: readonly string[];
  readonly place: SourceLine;
  /**
   * The dotted keys that the manifest has for the service, with their places. Inherited keys are included.
   */
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
  /** The name of the target in messages, such as `Kubernetes`. */
  readonly title: string;
  readonly needsImage?: true;
  /**
   * Writes the services, which are in the order of the manifest. `name`: a common name for all of them, such
   * as the name of the project.
   */
  readonly write: (services: readonly ExportedService[], name: string) => Exported;
  /** The rows of the table. The page of the format in `docs/` lists these rows. */
  readonly rows: readonly RowDescription[];
}
