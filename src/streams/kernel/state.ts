// The state of the supervisor: everything that it knows, as JSON. Only `setState` replaces it.
import type { EndReason } from '../domain/effect.ts';
import type { Found } from '../domain/event.ts';
import type { ProjectId, RequestId } from '../domain/ids.ts';
import type {
  MetricsSpec,
  Problem,
  ProjectSpec,
  Readings,
  Scales,
  ServiceProfiles,
  StatusSpec,
} from '../domain/declared/manifest.ts';
import { DEFAULT_SETTINGS, type Settings } from '../domain/declared/settings.ts';
import type { ReportCounts } from '../children/accept-reported-event.ts';
import { OPEN_GATE, type Gate } from '../gate/start-places.ts';
import type { Graph } from '../graph/graph.ts';
import type { Request } from './requests/request.ts';
import { EMPTY_SERVICE_TABLE, type ServiceTable } from './service-table.ts';

/** Manifest keys that apply to the whole supervisor. */
export interface Tables {
  readonly status?: StatusSpec;
  readonly metrics?: MetricsSpec;
}

export interface SupervisorState extends Tables {
  readonly settings: Settings;
  /**
   * The phase of the supervisor:
   * - `running`: the only phase in which services start.
   * - `closing`: all services stop.
   * - `closed`: all services have stopped, and the supervisor ends.
   * - `stop-only`: an offline stop, without a supervisor.
   */
  readonly phase: 'running' | 'closing' | 'closed' | 'stop-only';
  /**
   * True if the supervisor was started with manifests (`supervise -c`). Such a supervisor ends when an
   * essential service has ended for good.
   */
  readonly bound?: true;
  /** Why the supervisor ends without a command. Absent if it does not. */
  readonly endReason?: EndReason;
  readonly serviceTable: ServiceTable;
  readonly graph: Graph;
  readonly projects: Readonly<Record<ProjectId, ProjectSpec>>;
  /** The problems of each registered manifest when it was last read, by its resolved path. */
  readonly manifests: Readonly<Record<string, readonly Problem[]>>;
  /**
   * How registered manifests are read, by their paths. A manifest without an entry is read from one file,
   * without profiles.
   */
  readonly readings?: Readings;
  /** The profiles of services by the path of their manifest, as it was last read; absent: none. */
  readonly profiles?: Readonly<Record<string, readonly ServiceProfiles[]>>;
  /** The numbers of instances that `sup scale` has set; absent: none. */
  readonly scales?: Scales;
  /** The keys `status` and `metrics` of each manifest, by its path. */
  readonly tables: Readonly<Record<string, Tables>>;
  readonly requests: Readonly<Record<RequestId, Request>>;
  readonly gate: Gate;
  /** How many events services have reported in the last second. */
  readonly reports?: ReportCounts;
  readonly warnings: readonly string[];
  /** Live runs, found by their run tags, of services that no manifest declares yet. */
  readonly undeclaredRuns: readonly Found[];
}

export const INITIAL_STATE: SupervisorState = {
  settings: DEFAULT_SETTINGS,
  phase: 'running',
  serviceTable: EMPTY_SERVICE_TABLE,
  graph: {},
  projects: {},
  manifests: {},
  tables: {},
  requests: {},
  gate: OPEN_GATE,
  warnings: [],
  undeclaredRuns: [],
};
