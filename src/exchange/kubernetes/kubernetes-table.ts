// The table of Kubernetes. The first part of a key says which object it belongs to: `workload` (the spec of
// the Deployment, Job or CronJob), `job` (the spec of a Job), `pod`, `container`, or `service` (that of the
// Service).
import { CONTAINER_ROWS } from './kubernetes-container.ts';
import { PROBE_ROWS } from './kubernetes-probes.ts';
import { SCHEDULE_ROWS } from './kubernetes-schedule.ts';
import { SECURITY_ROWS } from './kubernetes-security.ts';
import { WORKLOAD_ROWS } from './kubernetes-workload.ts';

export const KUBERNETES_ROWS = [
  ...WORKLOAD_ROWS,
  ...SCHEDULE_ROWS,
  ...CONTAINER_ROWS,
  ...PROBE_ROWS,
  ...SECURITY_ROWS,
];
