// What became of a service of a command, from its state before the command and at the answer.
import type { Became, Outcome } from '../../domain/command.ts';
import type { ServiceId } from '../../domain/ids.ts';
import type { DownReason, Schedule, Service, Tag } from '../../domain/service/service.ts';
import { between, type Instant, type Ms } from '../../domain/time.ts';
import type { Before, Request } from './request.ts';

/** States with a process that is ready or starting. */
const RUNNING: ReadonlySet<Tag> = new Set<Tag>(['starting', 'up']);

const ofDown = (why: DownReason, ran: boolean): Became => {
  if (why.tag === 'skipped') return 'skipped';
  return ran ? 'done' : 'done-before';
};

/** The outcome of the last run; earlier ones do not count. */
const ofScheduled = ({ runs }: Schedule): Became => {
  const last = runs.findLast(({ startedAt }) => startedAt !== undefined);
  return last === undefined || last.result === 'success' ? 'done' : 'scheduled';
};

/** Another command may have stopped it since. A failed service never gets here: its error is the answer. */
const ofStart = ({ actual, runs, schedule, wanted }: Service, before: Before): Became => {
  const ran = runs > before.runs;
  if (wanted === 'down') return 'stopped';
  switch (actual.tag) {
    case 'up':
      return ran || before.tag !== 'up' ? 'started' : 'running';
    case 'scheduled':
      return ran ? ofScheduled(schedule) : 'scheduled';
    case 'down':
      return ofDown(actual.why, ran);
    default:
      return 'started';
  }
};

/**
 * Time from the last ready moment of an earlier run to readiness of the current one; `undefined` without a
 * gap.
 */
const downtime = ({ actual, history }: Service, since: Instant): Ms | undefined => {
  if (actual.tag !== 'up') return undefined;
  const left = history.findLast(({ from, to, at }) => from === 'up' && to !== 'up' && at >= since);
  return left === undefined || left.at >= actual.readyAt ? undefined : between(left.at, actual.readyAt);
};

const ofRestart = (service: Service, before: Before, since: Instant): Omit<Outcome, 'service'> => {
  // A run that a schedule begins meanwhile is not one of the command.
  const isSameRun = service.runs === before.runs || service.spec.kind === 'cron';
  if (before.live !== undefined && isSameRun) return { what: 'updated', keys: before.live };
  const what = ofStart(service, before);
  if (what !== 'started' || !RUNNING.has(before.tag)) return { what };
  const down = downtime(service, since);
  return { what: 'restarted', ...(down === undefined ? {} : { down }) };
};

const REST: Before = { tag: 'down', runs: 0 };

/** The outcome; without `service` it left the roster. */
export const outcomeOf = (
  { command: { type }, before, since }: Pick<Request, 'command' | 'before' | 'since'>,
  id: ServiceId,
  service: Service | undefined,
): Outcome => {
  const was = before[id] ?? REST;
  if (service === undefined) return { service: id, what: 'removed' };
  switch (type) {
    case 'start':
      return { service: id, what: ofStart(service, was) };
    case 'restart':
    case 'apply':
    case 'rollback':
      return { service: id, ...ofRestart(service, was, since) };
    default:
      return { service: id, what: was.tag === 'down' ? 'down-before' : 'stopped' };
  }
};
