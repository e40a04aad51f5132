// Every workload, in the order in which they run.
import type { Workload } from '../workload.ts';
import { graph } from './w01-graph.ts';
import { containment } from './w04-containment.ts';
import { readiness } from './w06-readiness.ts';
import { restart } from './w07-restart.ts';

export const WORKLOADS: readonly Workload[] = [graph, containment, readiness, restart];
