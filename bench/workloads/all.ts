// All workloads, in the order in which they run.
import type { Workload } from '../workload.ts';
import { kernelStep } from './k-step.ts';
import { graph } from './w01-graph.ts';
import { memory } from './w02-overhead.ts';
import { idle } from './w03-idle.ts';
import { containment } from './w04-containment.ts';
import { ownDeath } from './w05-own-death.ts';
import { readiness } from './w06-readiness.ts';
import { restart } from './w07-restart.ts';
import { logCapture } from './w08-log-capture.ts';
import { bulkStart } from './w09-bulk-start.ts';
import { bulkStop } from './w10-bulk-stop.ts';
import { commandLatency } from './w11-command-latency.ts';
import { watching } from './w12-watching.ts';
import { manifest } from './w13-manifest.ts';
import { flapping } from './w14-flapping.ts';
import { privileged } from './w15-privileged.ts';
import { rollouts } from './w16-rollouts.ts';
import { upgrade } from './w17-upgrade.ts';
import { dashboards } from './w18-dashboards.ts';
import { replicas } from './w19-replicas.ts';
import { scale } from './w20-scale.ts';
import { readingLogs } from './w21-reading-logs.ts';
import { firstService } from './w22-cold-start.ts';

export const WORKLOADS: readonly Workload[] = [
  kernelStep,
  graph,
  memory,
  idle,
  containment,
  ownDeath,
  readiness,
  restart,
  logCapture,
  bulkStart,
  bulkStop,
  commandLatency,
  watching,
  manifest,
  flapping,
  privileged,
  rollouts,
  upgrade,
  dashboards,
  replicas,
  scale,
  readingLogs,
  firstService,
];
