// The result of loading a manifest, and the types of its problems.
import type { ServiceSpec } from './spec.ts';
import type { ProjectId, ServiceId } from '../ids.ts';

/** The codes of manifest problems, with which a command also fails if its manifest does not load. */
export const MANIFEST_CODES = [
  'ERR0207',
  'ERR0208',
  'ERR0209',
  'ERR0210',
  'ERR0211',
  'ERR0212',
  'ERR0213',
  'ERR0214',
  'ERR0215',
  'ERR0216',
  'ERR0217',
  'ERR0218',
  'ERR0219',
  'ERR0220',
  'ERR0221',
  'ERR0222',
  'ERR0223',
  'ERR0226',
  'ERR0227',
  'ERR0705',
  'ERR0721',
  'ERR0728',
  'ERR0741',
  'ERR0747',
  'ERR0748',
  'ERR0749',
] as const;
export type ManifestCode = (typeof MANIFEST_CODES)[number];

/** ERR0203: the file cannot be read. ERR0001: a bug in the loader, which affects this manifest only. */
export type ProblemCode = ManifestCode | 'ERR0203' | 'ERR0001';

/** An error prevents loading, a warning does not. Lines and columns count from 1. */
export interface Problem {
  readonly code: ProblemCode;
  readonly severity: 'error' | 'warning';
  /** The dotted path in the manifest: `projects.shop.services.web.backoff`; `''` for the whole file. */
  readonly path: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  /** A sentence with the broken rule and the offending value. */
  readonly message: string;
  /** What the user can do: `did you mean "restart_policy"?`. */
  readonly hint?: string;
  /** The line of the file, shown above the caret. */
  readonly source?: string;
}

export interface ProjectSpec {
  readonly id: ProjectId;
  readonly name: string;
  /** The resolved path of the manifest that declares the project. */
  readonly manifest: string;
}

/** Keys that apply to all projects; of several manifests the last one loaded counts (`docs/metrics.md`). */
export interface StatusSpec {
  readonly snapshotMode: 'off' | 'summary' | 'detailed';
  readonly snapshotIntervalSecs: number;
}

export const DEFAULT_STATUS: StatusSpec = { snapshotMode: 'summary', snapshotIntervalSecs: 5 };

export interface MetricsSpec {
  readonly retentionMinutes: number;
  readonly sampleIntervalSecs: number;
  readonly maxMemoryBytes: number;
  readonly spilloverPath?: string;
  readonly spilloverMaxBytes?: number;
  readonly spilloverSegmentBytes?: number;
}

export const DEFAULT_METRICS: MetricsSpec = {
  retentionMinutes: 720,
  sampleIntervalSecs: 1,
  maxMemoryBytes: 10_485_760,
};

/** How a manifest is read, besides its first file, which identifies it. */
export interface Reading {
  /** Further files, as resolved paths; each overrides those before it. Absent: none. */
  readonly files?: readonly string[];
  /** The profiles whose services exist. Absent: none. */
  readonly profiles?: readonly string[];
}

/** Readings by the path of their manifest; one that is read from a single file without profiles is absent. */
export type Readings = Readonly<Record<string, Reading>>;

/** The key `profiles` of a service, which may be left out because of it. */
export interface ServiceProfiles {
  readonly service: ServiceId;
  readonly profiles: readonly string[];
}

/** The most instances that a service can have. */
export const MOST_REPLICAS = 1000;

/** A service with `replicas`, from which instances are made. */
export interface ReplicaGroup {
  readonly id: ServiceId;
  /** `replicas` of the manifest. */
  readonly declared: number;
  /** The number of instances: `declared`, or what `sup scale` has set. */
  readonly replicas: number;
  /** The declaration with `{instance}` in its texts. */
  readonly template: ServiceSpec;
}

/** A number of instances that `sup scale` has set: it lasts until `declared` of the manifest changes. */
interface Scale {
  readonly manifest: string;
  readonly declared: number;
  readonly replicas: number;
}

/** Scales by the id of the service that has `replicas`. */
export type Scales = Readonly<Record<ServiceId, Scale>>;

/** A manifest without errors. `validate` and `start` load it in the same way. */
export interface Manifest {
  /** The resolved path of the root file, which identifies the manifest. */
  readonly path: string;
  readonly schema: 2 | 3;
  readonly reading?: Reading;
  readonly projects: readonly ProjectSpec[];
  readonly services: readonly ServiceSpec[];
  /** The services with `replicas`; `services` has their instances. Absent if there are none. */
  readonly groups?: readonly ReplicaGroup[];
  /** The container images by the services that have `x-image`. Absent if there are none. */
  readonly images?: Readonly<Record<ServiceId, string>>;
  /** Absent if no service has `profiles`. */
  readonly profiles?: readonly ServiceProfiles[];
  readonly status?: StatusSpec;
  readonly metrics?: MetricsSpec;
}

/** The result of loading a manifest; `manifest` is absent if a problem is an error. */
export interface LoadResult {
  readonly path: string;
  readonly manifest?: Manifest;
  /** The slot with the traffic, according to the `state_path` file of each service that has one. */
  readonly slots?: Readonly<Record<ServiceId, string>>;
  readonly problems: readonly Problem[];
}
