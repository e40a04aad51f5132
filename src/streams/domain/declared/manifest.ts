// The result of loading one manifest, and the problems it can have.
import type { ProblemCode } from '../errors/manifest-code.ts';
import type { ProjectId, ServiceId } from '../ids.ts';
import type { ServiceSpec } from './spec.ts';

/** A problem the user must fix (an error) or should fix (a warning). Lines and columns count from 1. */
export interface Problem {
  readonly code: ProblemCode;
  readonly severity: 'error' | 'warning';
  /**
   * Dotted path in the assembled manifest, e.g. `projects.shop.services.web.backoff`; `''` is the whole file.
   */
  readonly path: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  /** The broken rule and the offending value. */
  readonly message: string;
  /** The next step, e.g. `did you mean "restart_policy"?`. */
  readonly hint?: string;
  /** The source line, above the caret. */
  readonly source?: string;
}

export interface ProjectSpec {
  readonly id: ProjectId;
  /** Display name. */
  readonly name: string;
  /** Resolved path of the manifest that declares it. */
  readonly manifest: string;
}

/** Root keys for all loaded projects; the last manifest that has such a key decides (`docs/metrics.md`). */
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

/** A manifest that loaded: `start` registers exactly what `validate` accepts. */
export interface Manifest {
  /** Resolved path of the root file, which identifies the manifest. */
  readonly path: string;
  readonly schema: 2 | 3;
  readonly projects: readonly ProjectSpec[];
  readonly services: readonly ServiceSpec[];
  readonly status?: StatusSpec;
  readonly metrics?: MetricsSpec;
}

/** The outcome of one load. `manifest` is absent when any problem is an error. */
export interface LoadResult {
  readonly path: string;
  readonly manifest?: Manifest;
  /** The slot with the traffic, as the `state_path` files of its services say. */
  readonly slots?: Readonly<Record<ServiceId, string>>;
  readonly problems: readonly Problem[];
}
