// The result of loading a manifest, and the types of its problems.
import type { ServiceSpec } from './spec.ts';
import type { ProjectId, ServiceId } from '../ids.ts';

/** The codes of problems in manifests. A command fails with such a code if its manifest does not load. */
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

/**
 * The codes of problems. Besides the codes for manifests: ERR0203 if the file cannot be read, and ERR0001 for
 * a bug in the loader, which affects this manifest only.
 */
export type ProblemCode = ManifestCode | 'ERR0203' | 'ERR0001';

/** A problem of a manifest. An error prevents loading, a warning does not. Lines and columns count from 1. */
export interface Problem {
  readonly code: ProblemCode;
  readonly severity: 'error' | 'warning';
  /** The dotted path in the manifest: `projects.shop.services.web.backoff`; `''` for the whole file. */
  readonly path: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  /** A sentence that names the broken rule and the offending value. */
  readonly message: string;
  /** What the user can do: `did you mean "restart_policy"?`. */
  readonly hint?: string;
  /** The text of the line with the problem. The output marks the column below this text. */
  readonly source?: string;
}

export interface ProjectSpec {
  readonly id: ProjectId;
  readonly name: string;
  /** The resolved path of the manifest that declares the project. */
  readonly manifest: string;
}

/**
 * The key `status` of a manifest, which applies to all projects. If several manifests have it, the one that
 * was loaded last is used (`docs/metrics.md`).
 */
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

/**
 * How a manifest is read: with which further files and profiles. `sup start` sets both. The first file is not
 * part of this value, because it identifies the manifest.
 */
export interface Reading {
  /** Further files, as resolved paths. Each file overrides the files before it. Absent: none. */
  readonly files?: readonly string[];
  /** The chosen profiles. Absent: none. */
  readonly profiles?: readonly string[];
}

/** The reading of each manifest, by its path. A manifest without further files and profiles has no entry. */
export type Readings = Readonly<Record<string, Reading>>;

/** A service with the key `profiles`: it does not exist if none of these profiles is chosen. */
export interface ServiceProfiles {
  readonly service: ServiceId;
  readonly profiles: readonly string[];
}

/** The most instances that a service can have. */
export const MOST_REPLICAS = 1000;

/** A service with the key `replicas`. Its instances are services of their own, made from `template`. */
export interface ReplicaGroup {
  readonly id: ServiceId;
  /** The value of `replicas` in the manifest. */
  readonly declared: number;
  /** The number of instances: the number that `sup scale` has set, otherwise `declared`. */
  readonly replicas: number;
  /** The declaration, in which `{instance}` is not replaced yet by the number of an instance. */
  readonly template: ServiceSpec;
}

/**
 * A number of instances that `sup scale` has set. It applies until the value of `replicas` in the manifest
 * differs from `declared`.
 */
interface Scale {
  readonly manifest: string;
  readonly declared: number;
  readonly replicas: number;
}

/** The numbers that `sup scale` has set, by the id of the service that has `replicas`. */
export type Scales = Readonly<Record<ServiceId, Scale>>;

/** A manifest that loaded without errors. `validate` and `start` load it in the same way. */
export interface Manifest {
  /** The resolved path of the root file, which identifies the manifest. */
  readonly path: string;
  readonly schema: 2 | 3;
  readonly reading?: Reading;
  readonly projects: readonly ProjectSpec[];
  readonly services: readonly ServiceSpec[];
  /** The services with `replicas`. Their instances are in `services`. Absent if there are none. */
  readonly groups?: readonly ReplicaGroup[];
  /** The container image of each service that has `x-image`. Absent if there are none. */
  readonly images?: Readonly<Record<ServiceId, string>>;
  /** The services with `profiles`. Absent if there are none. */
  readonly profiles?: readonly ServiceProfiles[];
  readonly status?: StatusSpec;
  readonly metrics?: MetricsSpec;
}

/** The result of loading a manifest; `manifest` is absent if a problem is an error. */
export interface LoadResult {
  readonly path: string;
  readonly manifest?: Manifest;
  /**
   * The slot that gets the traffic, for each service with `state_path`, as the file at that path names it.
   */
  readonly slots?: Readonly<Record<ServiceId, string>>;
  readonly problems: readonly Problem[];
}
