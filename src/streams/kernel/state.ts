// The state of the supervisor: everything that it knows, as one JSON value. It changes only while an event is
// processed (by `setState`).
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
   * Services start only in the phase `running`.
   * - `closing`: everything is being stopped, then the supervisor ends.
   * - `closed`: the effect `quit` was emitted.
   * - `stop-only`: no supervisor runs, only an offline stop (`stop-only.ts`).
   */
  readonly phase: 'running' | 'closing' | 'closed' | 'stop-only';
  /**
   * Set if the supervisor was started with manifests (`supervise -c`). Then it ends when an essential service
   * has ended for good.
   */
  readonly bound?: true;
  /** Why the supervisor ends by itself; absent if it does not. */
  readonly verdict?: Verdict;
  readonly roster: Roster;
  readonly graph: Graph;
  readonly projects: Readonly<Record<ProjectId, ProjectSpec>>;
  /** The problems that were found when each registered manifest was last read, by its resolved path. */
  readonly manifests: Readonly<Record<string, readonly Problem[]>>;
  /**
   * What each manifest declares for the whole supervisor, by its path. The values in use are in the fields
   * `status` and `metrics` of this state.
   */
  readonly tables: Readonly<Record<string, Tables>>;
  readonly requests: Readonly<Record<RequestId, Request>>;
  readonly gate: Gate;
  readonly warnings: readonly string[];
  /** Undeclared runs: found alive by their run tags, although no manifest declares their services yet. */
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
