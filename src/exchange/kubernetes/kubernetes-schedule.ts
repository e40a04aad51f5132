// Table rows for the export to Kubernetes: schedules.
import type { Translation } from '../key-table.ts';
import { type KubernetesContext, type KubernetesRow, wholeSeconds } from './kubernetes-context.ts';

/**
 * The time within which a scheduled run must begin, s. A run that is later than this is skipped. With less
 * than 10 s Kubernetes may skip runs for no reason, because it looks at schedules only every 10 s.
 */
const STARTING_DEADLINE_SECONDS = 30;

/**
 * Returns the field for the day of the week without the number 7. In Kubernetes Sunday is 0; `sup` also
 * accepts 7.
 */
const dayOfWeek = (field: string): string =>
  field
    .split(',')
    .map((part) =>
      part
        .replace(/^7(?=$|\/)/, '0')
        .replace(/^0?-7$/, '*')
        .replace(/^[01]-7$/, '*')
        .replace(/^([2-6])-7$/, '$1-6,0'),
    )
    .join(',');

const schedule = ({ spec: { cron } }: KubernetesContext): Translation => {
  if (cron === undefined) return {};
  const fields = cron.expression.trim().split(/\s+/);
  const seconds = fields.length === 6 ? fields[0] : '0';
  const five = fields.length === 6 ? fields.slice(1) : fields;
  const days = five.map((field, at) => (at === 4 ? dayOfWeek(field) : field));
  const text = days.join(' ');
  if (/[LW#H]/.test(text.replaceAll(/[A-Z]{3}/gi, '')))
    return {
      keys: { 'workload.schedule': text },
      changed: `Kubernetes does not know the letters L, W, H and # of "${text}": write other days`,
    };
  return {
    keys: { 'workload.schedule': text },
    ...(seconds !== '0' && { changed: `a schedule has no seconds: "${cron.expression}" runs at second 0` }),
  };
};

const timeZone = ({ spec: { cron } }: KubernetesContext): Translation => {
  if (cron === undefined) return {};
  if (cron.timezone === 'local')
    return {
      changed: 'the time zone is that of the cluster, usually UTC: name one in cron.timezone',
    };
  return { keys: { 'workload.timeZone': cron.timezone === 'utc' ? 'Etc/UTC' : cron.timezone } };
};

/**
 * Translates `cron.overlap`. With `Forbid`, a run that is due during another run begins when that run has
 * ended, unless `STARTING_DEADLINE_SECONDS` have passed. So this deadline decides both whether runs queue and
 * whether missed runs are started later.
 */
const overlap = ({ spec: { cron } }: KubernetesContext): Translation => {
  if (cron === undefined) return {};
  return {
    keys: { 'workload.concurrencyPolicy': 'Forbid' },
    ...(cron.overlap === 'queue' &&
      cron.catchUp !== 'once' && {
        changed: 'a time that was missed while the cluster was down is made up for, too',
      }),
  };
};

const catchUp = ({ spec: { cron } }: KubernetesContext): Translation => {
  if (cron?.overlap === undefined && cron?.catchUp === 'once')
    return { changed: 'a time during a run is made up for, too, as soon as the run has ended' };
  return cron === undefined || cron.overlap === 'queue'
    ? {}
    : { keys: { 'workload.startingDeadlineSeconds': STARTING_DEADLINE_SECONDS } };
};

export const SCHEDULE_ROWS: readonly KubernetesRow[] = [
  {
    theirs: 'spec.schedule',
    ours: ['cron.expression'],
    note: 'Five fields; the seconds of an expression with six fields are dropped. Sunday is `0`.',
    write: schedule,
  },
  {
    theirs: 'spec.timeZone',
    ours: ['cron.timezone'],
    note: '`utc` becomes `Etc/UTC`. `local` is left out. The key needs Kubernetes 1.27 or later.',
    write: timeZone,
  },
  {
    theirs: 'spec.concurrencyPolicy',
    ours: ['cron.overlap'],
    note: 'The value is `Forbid`. With `queue` there is no `startingDeadlineSeconds`, so that a run that was due begins after the present run.',
    write: overlap,
  },
  {
    theirs: 'spec.startingDeadlineSeconds',
    ours: ['cron.catch_up'],
    note: 'The value is 30 with `catch_up: none` and `overlap: skip`. Otherwise the key is left out.',
    write: catchUp,
  },
  {
    theirs: 'activeDeadlineSeconds',
    ours: ['cron.timeout'],
    write: ({ spec: { cron } }) =>
      cron?.timeout === undefined
        ? {}
        : { keys: { 'job.activeDeadlineSeconds': wholeSeconds(cron.timeout) } },
  },
  {
    theirs: 'none',
    ours: ['cron.jitter'],
    note: 'Lost.',
    write: ({ spec: { cron } }) =>
      cron?.jitter === undefined
        ? {}
        : { lost: 'there is no random delay: give each CronJob another minute' },
  },
];
