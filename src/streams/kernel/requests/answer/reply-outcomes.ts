// Computes the outcome of a command for each service that has not failed.
import type { Became, Outcome, Command } from '../../../domain/command.ts';
import type { ServiceId } from '../../../domain/ids.ts';
import type { DownReason, Schedule, Service, Tag } from '../../../domain/service/service.ts';
import { between, type Instant, type Ms } from '../../../domain/time.ts';
import type { Before, Request } from '../request.ts';

const RUNNING: ReadonlySet<Tag> = new Set<Tag>(['starting', 'up']);

const ofDown = (why: DownReason, ran: boolean): Became => {
  if (why.tag === 'skipped') return 'skipped';
  return ran ? 'done' : 'done-before';
};

/** Returns the outcome of a start of a cron service, by the result of its last run. */
const ofScheduled = ({ runs }: Schedule): Became => {
  const last = runs.findLast(({ startedAt }) => startedAt !== undefined);
  return last === undefined || last.result === 'success' ? 'done' : 'scheduled';
};

/** Returns the outcome of a start; `stopped` if another command has stopped the service since. */
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
 * Returns how long the service was not ready before its current run became ready, ms; `undefined` if there
 * was no gap.
 */
const downtime = ({ actual, history }: Service, since: Instant): Ms | undefined => {
  if (actual.tag !== 'up') return undefined;
  const left = history.findLast(({ from, to, at }) => from === 'up' && to !== 'up' && at >= since);
  return left === undefined || left.at >= actual.readyAt ? undefined : between(left.at, actual.readyAt);
};

const ofRestart = (service: Service, before: Before, since: Instant): Omit<Outcome, 'service'> => {
  // New runs of a cron service come from its schedule, not from this command.
  const isSameRun = service.runs === before.runs || service.spec.kind === 'cron';
  if (before.live !== undefined && isSameRun) return { what: 'updated', keys: before.live };
  const what = ofStart(service, before);
  if (what !== 'started' || !RUNNING.has(before.tag)) return { what };
  const down = downtime(service, since);
  return { what: 'restarted', ...(down === undefined ? {} : { down }) };
};

const REST: Before = { tag: 'down', runs: 0 };

/**
 * Commands that can remove services. They are answered while the last service to remove is still in the
 * service table.
 */
const REMOVING: ReadonlySet<Command['type']> = new Set(['restart', 'apply', 'scale', 'forget']);

/** Returns the outcome of a command for a service. `service` is absent if the service was removed. */
export const outcomeOf = (
  { command: { type }, before, since }: Pick<Request, 'command' | 'before' | 'since'>,
  id: ServiceId,
  service: Service | undefined,
): Outcome => {
  const was = before[id] ?? REST;
  const isRemoved = service === undefined || (REMOVING.has(type) && service.leaving);
  if (isRemoved) return { service: id, what: 'removed' };
  switch (type) {
    case 'start':
    case 'scale':
      return { service: id, what: ofStart(service, was) };
    case 'restart':
    case 'apply':
    case 'rollback':
      return { service: id, ...ofRestart(service, was, since) };
    default:
      return { service: id, what: was.tag === 'down' ? 'down-before' : 'stopped' };
  }
};
