// Table rows for the export to Nomad: the job and its group, with kind, schedule, instances, updates and
// restarts.
import type { Translation } from '../key-table.ts';
import { nanoseconds, type NomadContext, type NomadRow } from './nomad-context.ts';

/**
 * Returns the schedule for Nomad. In Nomad a sixth field is the year, so an expression with seconds must have
 * seven fields.
 */
const schedule = (expression: string): string => {
  const fields = expression.trim().split(/\s+/);
  return fields.length === 6 ? [...fields, '*'].join(' ') : fields.join(' ');
};

const periodic = ({ spec: { cron, skip } }: NomadContext): Translation =>
  cron === undefined
    ? {}
    : {
        keys: {
          'job.Periodic': {
            Enabled: skip !== true,
            SpecType: 'cron',
            Spec: schedule(cron.expression),
            ProhibitOverlap: true,
          },
        },
      };

const ZONES: Readonly<Record<string, string>> = { utc: 'UTC', local: 'Local' };

const timeZone = ({ spec: { cron } }: NomadContext): Translation =>
  cron === undefined
    ? {}
    : {
        keys: { 'job.Periodic': { TimeZone: ZONES[cron.timezone] ?? cron.timezone } },
        ...(cron.timezone === 'local' && {
          changed: 'the time zone is that of the server of Nomad that leads: name one in cron.timezone',
        }),
      };

const overlap = ({ spec: { cron } }: NomadContext): Translation =>
  cron?.overlap === 'queue' ? { lost: 'a time that comes during a run is skipped, never queued' } : {};

const catchUp = ({ spec: { cron } }: NomadContext): Translation =>
  cron === undefined || cron.catchUp === 'once'
    ? {}
    : { changed: 'after a change of its leader, Nomad makes up for one time that was missed' };

const count = ({ replicas, spec: { skip, cron } }: NomadContext): Translation => ({
  keys: { 'group.Count': skip === true && cron === undefined ? 0 : (replicas ?? 1) },
  ...(replicas !== undefined && {
    changed:
      'an instance finds its number, from 0, in NOMAD_ALLOC_INDEX instead of SUP_INSTANCE and {instance}',
  }),
});

const skipped = ({ spec: { skip } }: NomadContext): Translation =>
  typeof skip === 'string'
    ? { lost: 'no command decides whether the service starts; let its program end with status 0 instead' }
    : {};

/**
 * Translates the strategy. Nomad starts a canary while the old allocation still runs, as a rolling update of
 * `sup` does.
 */
const update = ({ type, spec: { deployment } }: NomadContext): Translation => {
  if (type !== 'service') return {};
  const isRolling = deployment.strategy === 'rolling';
  return {
    keys: {
      'job.Update': {
        MaxParallel: 1,
        Canary: isRolling ? 1 : 0,
        AutoPromote: isRolling,
        AutoRevert: true,
        HealthCheck: deployment.healthCheck === undefined ? 'task_states' : 'checks',
        MinHealthyTime: nanoseconds(deployment.gracePeriod),
      },
    },
  };
};

const restart = ({ type, spec }: NomadContext): Translation => {
  const isTriedOnce = spec.kind === 'cron' || spec.restartPolicy === 'never';
  const attempts = isTriedOnce ? 0 : spec.maxRestarts;
  const hour = 3_600_000;
  return {
    keys: {
      'group.RestartPolicy': {
        Attempts: attempts,
        Delay: nanoseconds(spec.backoff.initial),
        Interval: nanoseconds(Math.max(hour, 2 * attempts * spec.backoff.initial)),
        Mode: 'fail',
      },
      'group.ReschedulePolicy': { Attempts: 0, Unlimited: false },
    },
    ...(type === 'service' &&
      spec.restartPolicy === 'on-failure' && {
        changed: 'a job of type service is started again also after exit status 0',
      }),
  };
};

const backoff = ({ type, spec, has }: NomadContext): Translation =>
  (type === 'service' || spec.restartPolicy === 'on-failure') &&
  spec.kind !== 'cron' &&
  has('backoff') &&
  spec.backoff.factor !== 1
    ? { changed: `the pause before a restart is always ${spec.backoff.initial} ms, and does not grow` }
    : {};

export const NOMAD_JOB_ROWS: readonly NomadRow[] = [
  {
    theirs: 'Periodic.Spec',
    ours: ['cron.expression'],
    note: 'To an expression of six fields a seventh field for the year is added.',
    write: periodic,
  },
  { theirs: 'Periodic.TimeZone', ours: ['cron.timezone'], note: '`local` becomes `Local`.', write: timeZone },
  {
    theirs: 'Periodic.ProhibitOverlap',
    ours: ['cron.overlap'],
    note: 'Always `true`; `queue` is lost.',
    write: overlap,
  },
  {
    theirs: 'none',
    ours: ['cron.catch_up'],
    note: 'Nomad decides what happens at missed times.',
    write: catchUp,
  },
  {
    theirs: 'none',
    ours: ['cron.timeout'],
    note: 'Lost.',
    write: ({ spec: { cron } }) =>
      cron?.timeout === undefined
        ? {}
        : {
            lost: `a run has no time limit: begin the command with timeout ${Math.ceil(cron.timeout / 1000)}`,
          },
  },
  {
    theirs: 'TaskGroups[].Count',
    ours: ['replicas'],
    note: '0 with `skip: true`. Instances count from 0 in `NOMAD_ALLOC_INDEX`.',
    write: count,
  },
  {
    theirs: 'Periodic.Enabled',
    ours: ['skip'],
    note: 'For a service with `cron`. A command as value of `skip` is lost.',
    write: skipped,
  },
  {
    theirs: 'Update',
    ours: ['deployment.strategy', 'deployment.grace_period'],
    note: '`rolling` has a canary that is promoted by itself, `immediate` has none; `grace_period` is `MinHealthyTime`. A failed update is reverted.',
    write: update,
  },
  {
    theirs: 'TaskGroups[].RestartPolicy',
    ours: ['restart_policy', 'max_restarts'],
    note: '`never` makes a job of type `batch` without restarts. `on-failure` makes a job of type `batch` with restarts if another service waits until this service has completed. `max_restarts` is `Attempts` within an hour, after which the allocation has failed and is not scheduled again.',
    write: restart,
  },
  {
    theirs: 'TaskGroups[].RestartPolicy.Delay',
    ours: ['backoff'],
    note: 'Only the first pause is exported, and the pause does not grow.',
    write: backoff,
  },
];
