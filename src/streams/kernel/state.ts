// Everything the supervisor knows, as one JSON value. Only a step changes it, by `setState` of its draft.
import type { Verdict } from '../domain/effect.ts';
import type { Found } from '../domain/event.ts';
import type { ProjectId, RequestId } from '../domain/ids.ts';
import type { MetricsSpec, Problem, ProjectSpec, StatusSpec } from '../domain/declared/manifest.ts';
import { DEFAULT_SETTINGS, type Settings } from '../domain/declared/settings.ts';
import { OPEN_GATE, type Gate } from '../gate/concurrency-gate.ts';
import type { Graph } from '../graph/graph.ts';
import type { Request } from './requests/request.ts';
import { EMPTY_ROSTER, type Roster } from './service-table.ts';

/** Keys of a manifest that apply to the whole supervisor. */
export interface Tables {
  readonly status?: StatusSpec;
  readonly metrics?: MetricsSpec;
}

export interface SupervisorState extends Tables {
  readonly settings: Settings;
  /**
   * `closing`: everything is being stopped, then the supervisor ends. `closed`: it was told to quit.
   * `stop-only`: there is no supervisor, only a stop (`stop-only.ts`). Services start only while it is
   * `running`.
   */
  readonly phase: 'running' | 'closing' | 'closed' | 'stop-only';
  /**
   * Set if it got its manifests from `supervise -c`: then an essential service that ends for good ends it.
   */
  readonly bound?: true;
  /** Why it ends by itself. */
  readonly verdict?: Verdict;
  readonly roster: Roster;
  readonly graph: Graph;
  readonly projects: Readonly<Record<ProjectId, ProjectSpec>>;
  /** Registered manifests by resolved path, with the problems of their last load. */
  readonly manifests: Readonly<Record<string, readonly Problem[]>>;
  /**
   * What each manifest declares for the whole supervisor; `status` and `metrics` of the state are in force.
   */
  readonly tables: Readonly<Record<string, Tables>>;
  readonly requests: Readonly<Record<RequestId, Request>>;
  readonly gate: Gate;
  readonly warnings: readonly string[];
  /** Runs alive by their marks, although no manifest declares their services yet. */
  readonly strays: readonly Found[];
}

export const INITIAL_STATE: SupervisorState = {
  settings: DEFAULT_SETTINGS,
  phase: 'running',
  roster: EMPTY_ROSTER,
  graph: {},
  projects: {},
  manifests: {},
  tables: {},
  requests: {},
  gate: OPEN_GATE,
  warnings: [],
  strays: [],
};
