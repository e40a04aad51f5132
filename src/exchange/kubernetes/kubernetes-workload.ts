// Table rows for the export to Kubernetes: the whole object of a service with its name, instances, updates
// and restarts.
import type { Plain, Translation } from '../key-table.ts';
import { type KubernetesContext, type KubernetesRow, labelsOf, wholeSeconds } from './kubernetes-context.ts';

const named = ({ objectName, spec }: KubernetesContext): Translation => ({
  keys: { 'metadata.name': objectName },
  ...(objectName !== spec.name &&
    objectName !== `${spec.project}-${spec.name}` && {
      changed: `it is called ${objectName}: a name has only lower-case letters, digits and "-", at most 52`,
    }),
});

const labelled = (context: KubernetesContext): Translation => {
  const labels = labelsOf(context);
  const more = { ...labels, 'app.kubernetes.io/managed-by': 'sup-export' };
  return { keys: { 'metadata.labels': more } };
};

/** Translates the number of instances. The instances of a Job run in parallel, and each of them runs once. */
const instances = ({ kind, replicas, spec: { skip } }: KubernetesContext): Translation => {
  const count = replicas ?? 1;
  const keys: Record<string, Plain> =
    kind === 'Deployment'
      ? { 'workload.replicas': skip === true ? 0 : count }
      : replicas === undefined
        ? {}
        : { 'job.completions': count, 'job.parallelism': count };
  return {
    keys,
    ...(replicas !== undefined && {
      changed: 'an instance has no number: SUP_INSTANCE is not set and {instance} stays as it is written',
    }),
  };
};

const skipped = ({ kind, spec: { skip } }: KubernetesContext): Translation => {
  if (typeof skip === 'string')
    return {
      lost: 'no command decides whether the service starts; let its program end with status 0 instead',
    };
  return skip && kind !== 'Deployment' ? { keys: { 'workload.suspend': true } } : {};
};

const strategy = ({ kind, spec: { deployment } }: KubernetesContext): Translation => {
  if (kind !== 'Deployment') return {};
  return deployment.strategy === 'immediate'
    ? { keys: { 'workload.strategy': { type: 'Recreate' } } }
    : {
        keys: {
          'workload.strategy': {
            type: 'RollingUpdate',
            rollingUpdate: { maxSurge: 1, maxUnavailable: 0 },
          },
        },
      };
};

const blueGreen = ({ has }: KubernetesContext): Translation =>
  has('deployment.blue_green')
    ? {
        lost: 'the update is a rolling one: for two slots use two Deployments, and change the selector of the Service',
      }
    : {};

const gracePeriod = ({ kind, spec: { deployment } }: KubernetesContext): Translation =>
  kind === 'Deployment' && deployment.gracePeriod > 0
    ? { keys: { 'workload.minReadySeconds': wholeSeconds(deployment.gracePeriod) } }
    : {};

/** True for a Job that is tried again after a failure. */
const isRetried = ({ kind, spec: { restartPolicy } }: KubernetesContext): boolean =>
  kind === 'Job' && restartPolicy === 'on-failure';

const restart = (context: KubernetesContext): Translation => {
  const {
    kind,
    spec: { restartPolicy, maxRestarts },
  } = context;
  if (isRetried(context))
    return { keys: { 'job.backoffLimit': maxRestarts, 'pod.restartPolicy': 'OnFailure' } };
  if (kind !== 'Deployment') return { keys: { 'job.backoffLimit': 0, 'pod.restartPolicy': 'Never' } };
  return {
    keys: { 'pod.restartPolicy': 'Always' },
    ...(restartPolicy === 'on-failure' && {
      changed: 'a Deployment starts the container again also after exit status 0',
    }),
  };
};

const restartLimits =
  (key: string, message: string) =>
  (context: KubernetesContext): Translation => {
    const hasPauses = context.kind === 'Deployment' || (key === 'backoff' && isRetried(context));
    return hasPauses && context.has(key) ? { lost: message } : {};
  };

const dependencies = ({ spec: { dependsOn } }: KubernetesContext): Translation => {
  if (dependsOn.length === 0) return {};
  const names = dependsOn.map(({ service }) => service.split('/').at(-1)).join(', ');
  return { lost: `all objects start at once: the service has to try again until ${names} answers` };
};

export const WORKLOAD_ROWS: readonly KubernetesRow[] = [
  {
    theirs: 'metadata.name',
    ours: [],
    note: 'The name of the service, as a DNS label of at most 52 characters. If several projects are exported, the name begins with the project.',
    write: named,
  },
  {
    theirs: 'metadata.labels',
    ours: [],
    note: '`app.kubernetes.io/name`, `part-of` (the project) and `managed-by`.',
    write: labelled,
  },
  {
    theirs: 'spec.replicas',
    ours: ['replicas'],
    note: 'For a Job it becomes `completions` and `parallelism`. Instances have no numbers.',
    write: instances,
  },
  {
    theirs: 'spec.suspend',
    ours: ['skip'],
    note: 'For a Job or CronJob with `skip: true`; a Deployment gets `replicas: 0` instead. A command as value of `skip` is lost.',
    write: skipped,
  },
  {
    theirs: 'spec.strategy',
    ours: ['deployment.strategy'],
    note: '`immediate` is `Recreate`. `rolling` is `RollingUpdate` with one additional pod at a time, and never fewer pods than declared. There is no rollback by itself: `kubectl rollout undo`.',
    write: strategy,
  },
  { theirs: 'none', ours: ['deployment.blue_green'], note: 'Lost.', write: blueGreen },
  { theirs: 'spec.minReadySeconds', ours: ['deployment.grace_period'], write: gracePeriod },
  {
    theirs: 'restartPolicy',
    ours: ['restart_policy'],
    note: '`never` makes a Job, which is not tried again (`backoffLimit: 0`). `always` and `on-failure` make a Deployment, which always restarts. There is one exception: if another service waits until a service with `on-failure` has completed, this service becomes a Job that is tried again `max_restarts` times. A run of a CronJob is not tried again.',
    write: restart,
  },
  {
    theirs: 'none',
    ours: ['max_restarts'],
    note: 'Lost.',
    write: restartLimits('max_restarts', 'restarts go on without limit'),
  },
  {
    theirs: 'none',
    ours: ['backoff'],
    note: 'Lost.',
    write: restartLimits(
      'backoff',
      'the pauses between restarts are those of Kubernetes: 10 s, doubling up to 5 min',
    ),
  },
  {
    theirs: 'none',
    ours: ['depends_on'],
    note: 'Lost: an init container cannot wait for other pods.',
    write: dependencies,
  },
  {
    theirs: 'terminationGracePeriodSeconds',
    ours: ['stop_timeout'],
    note: 'Rounded up to whole seconds. Always written: the default of Kubernetes is 30 s.',
    write: ({ spec: { stopTimeout } }) => ({
      keys: { 'pod.terminationGracePeriodSeconds': wholeSeconds(stopTimeout) },
    }),
  },
];
