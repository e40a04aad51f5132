// What one load of one manifest brings, and what can be wrong with it.
import type { ProblemCode } from '../errors/manifest-code.ts';
import type { ProjectId, ServiceId } from '../ids.ts';
import type { ServiceSpec } from './spec.ts';

/** Something the user must mend (or, as a warning, should). Lines and columns count from 1. */
export interface Problem {
  readonly code: ProblemCode;
  readonly severity: 'error' | 'warning';
  /** Dotted path in the assembled manifest, e.g. `projects.shop.services.web.backoff`; `''` is the whole file. */
  readonly path: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  /** The rule that is broken, with the offending value. */
  readonly message: string;
  /** What to do next, e.g. `did you mean "restart_policy"?`. */
  readonly hint?: string;
  /** The source line, for the caret. */
  readonly source?: string;
}

export interface ProjectSpec {
  readonly id: ProjectId;
  /** Display name. */
  readonly name: string;
  /** Resolved path of the manifest that declares it. */
  readonly manifest: string;
}

/** Root keys that apply across the loaded projects. */
export interface StatusSpec {
  readonly snapshotMode: 'off' | 'summary' | 'detailed';
  readonly snapshotIntervalSecs: number;
}

export interface MetricsSpec {
  readonly retentionMinutes: number;
  readonly sampleIntervalSecs: number;
  readonly maxMemoryBytes: number;
  readonly spilloverPath?: string;
  readonly spilloverMaxBytes?: number;
  readonly spilloverSegmentBytes?: number;
}

/** A manifest that loaded: what `validate` accepts is what `start` registers. */
export interface Manifest {
  /** Resolved path of the root file: its identity. */
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
  /** Which slot has the traffic, as the `state_path` files of its services say. */
  readonly slots?: Readonly<Record<ServiceId, string>>;
  readonly problems: readonly Problem[];
}
