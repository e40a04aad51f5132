// Everything the supervisor knows, as one JSON value. Changed in one place: `step.ts`.
import type { Command } from '../domain/command.ts';
import type { SupError } from '../domain/error.ts';
import type { ProjectId, RequestId, ServiceId } from '../domain/ids.ts';
import type { MetricsSpec, Problem, ProjectSpec, StatusSpec } from '../domain/manifest.ts';
import { DEFAULT_SETTINGS, type Settings } from '../domain/settings.ts';
import type { Instant } from '../domain/time.ts';
import { OPEN_GATE, type Gate } from '../gate/gate.ts';
import type { Graph } from '../graph/graph.ts';
import { EMPTY_ROSTER, type Roster } from './roster.ts';

/** A command that has not been answered yet. */
export interface Request {
  readonly id: RequestId;
  readonly command: Command;
  readonly since: Instant;
  /** When it gives up: a start as a whole, a restart on the service whose turn it is. */
  readonly deadline?: Instant;
  /** `loading`: its manifests are being read. `settling`: its services are on their way. */
  readonly phase: 'loading' | 'settling';
  readonly paths: readonly string[];
  readonly targets: readonly ServiceId[];
  /** Targets whose verdict is still out. */
  readonly undecided: number;
  readonly failures: readonly SupError[];
  readonly warnings: readonly string[];
  /** Restart is one service at a time: those whose turn has not come. */
  readonly queue: readonly ServiceId[];
  /** The service whose turn it is. */
  readonly turn?: ServiceId;
}

export interface SupervisorState {
  readonly settings: Settings;
  /** `closing`: everything is being stopped, then the supervisor ends. */
  readonly phase: 'running' | 'closing';
  readonly roster: Roster;
  readonly graph: Graph;
  readonly projects: Readonly<Record<ProjectId, ProjectSpec>>;
  /** Registered manifests by resolved path, with the problems of their last load. */
  readonly manifests: Readonly<Record<string, readonly Problem[]>>;
  readonly status?: StatusSpec;
  readonly metrics?: MetricsSpec;
  readonly requests: Readonly<Record<RequestId, Request>>;
  readonly gate: Gate;
  readonly warnings: readonly string[];
}

export const INITIAL_STATE: SupervisorState = {
  settings: DEFAULT_SETTINGS,
  phase: 'running',
  roster: EMPTY_ROSTER,
  graph: {},
  projects: {},
  manifests: {},
  requests: {},
  gate: OPEN_GATE,
  warnings: [],
};
