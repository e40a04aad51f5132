// Decides what happens to the live runs that a new supervisor finds by their run tags:
// - A run in the records of the services is adopted: the supervisor continues to supervise it.
// - A run that is not in the records, or that has ended according to the records, is killed. Its number is
//   not used again.
// - A run of a service that has no record and no declaration is kept as undeclared until a manifest declares
//   the service.
// Rules: `docs/behaviour.md`, "Adoption".
import type { Found } from '../../domain/event.ts';
import { grouped } from '../../domain/grouped.ts';
import type { RunId, ServiceId } from '../../domain/ids.ts';
import { NO_PROCESS, sameProcess } from '../../domain/service/process.ts';
import { runsOf } from '../../domain/service/runs-of.ts';
import type { Run } from '../../domain/service/service-run.ts';
import type { LeftoverRun, Service, ServiceState } from '../../domain/service/service.ts';
import { earlier, type Instant } from '../../domain/time.ts';
import { changeState, type Draft, find, put } from '../draft.ts';
import { highestRun } from '../../rollout/two-runs.ts';
import { UNPROBED } from '../../domain/service/service-state.ts';
import { ended } from '../../service/scheduled/scheduled-results.ts';
import { presentRun } from '../../service/service-input.ts';

const BEGINNING: ReadonlySet<string> = new Set(['preparing', 'spawning']);

const isOf = (own: Run, { run, process }: Found): boolean => {
  if (presentRun(own) !== run) return false;
  const { actual } = own;
  return 'process' in actual ? sameProcess(actual.process, process) : BEGINNING.has(actual.tag);
};

/**
 * True if the found process belongs to a recorded run: the record has this process, or the record has the
 * same run number and no process yet.
 */
export const isOnRecord = (service: Service, found: Found): boolean =>
  found.run <= highestRun(service) && runsOf(service).some((run) => isOf(run, found));

/**
 * Returns the numbers of the service's runs that have a process, and of its children. A found run with any
 * other number is a leftover.
 */
const goingOn = (service: Service): readonly RunId[] => [
  ...runsOf(service).flatMap((run) => ('process' in run.actual ? [presentRun(run)] : [])),
  ...(service.children ?? []).map(({ run }) => run),
];

const leftoverRunOf = ({ run, process }: Found, at: Instant): LeftoverRun => ({
  run,
  process,
  since: at,
  alive: [process],
});

/**
 * Returns a copy of the service that lists, as leftover runs, all found runs that are neither its runs nor
 * its children. Leftover runs will be killed.
 */
export const withLeftoverRuns = (service: Service, found: readonly Found[], at: Instant): Service => {
  const { remnants: _recorded, ...rest } = service;
  const own = new Set(goingOn(service));
  const remnants = found.filter(({ run }) => !own.has(run)).map((one) => leftoverRunOf(one, at));
  const highest = Math.max(...found.map(({ run }) => run));
  return {
    ...rest,
    ...(highest > service.runs && { numbered: Math.max(highest, service.numbered ?? 0) }),
    ...(remnants.length > 0 && { remnants }),
  };
};

const HAD_A_RUN: ReadonlySet<string> = new Set(['preparing', 'spawning', 'starting', 'up', 'stopping']);
export const WAITING: ServiceState = { tag: 'waiting', for: 'dependencies' };

/**
 * Returns the recorded run if it has a process and the number of the found run. Otherwise returns the
 * recorded run in the state `starting`, with the number and process of the found run.
 */
export const adopted = <R extends Run>(recorded: R, found: Found, at: Instant): R => {
  const knows = 'process' in recorded.actual && recorded.runs === (found.run as number);
  if (knows) return recorded;
  const { run, process } = found;
  const since = earlier(found.since ?? at, at);
  // The time limit to become ready begins now. If it began with the run, it could be over already.
  const health = { ...UNPROBED, failingSince: at, lastCounted: at };
  return { ...recorded, runs: run, actual: { tag: 'starting', run, process, since, health } };
};

const withoutProcess = ({ actual, wanted, spec }: Run, sameBoot: boolean): ServiceState => {
  // A process of the record that cannot exist does not count. A supervisor that started after a reboot may
  // have recorded such a process.
  const confirmed = sameBoot && 'process' in actual && !sameProcess(actual.process, NO_PROCESS);
  if (confirmed || !HAD_A_RUN.has(actual.tag)) return actual.tag === 'waiting' ? WAITING : actual;
  if (wanted === 'down') return { tag: 'down', why: { tag: 'asked' } };
  return spec.kind === 'cron' ? { tag: 'scheduled' } : WAITING;
};

/**
 * Returns `pending` if the service must run and its state names a process that is gone. Its next run then
 * passes the gate, like a first start.
 */
const gateOf = ({ wanted, spec }: Service, actual: ServiceState): Service['gate'] =>
  wanted === 'up' && spec.kind !== 'cron' && 'process' in actual ? 'pending' : 'none';

/** Returns the run in the state from which it continues after its process ended while no supervisor ran. */
export const lostRun = <R extends Run>(run: R, sameBoot: boolean, at: Instant): R => {
  const actual = withoutProcess(run, sameBoot);
  const lost = HAD_A_RUN.has(run.actual.tag) && !HAD_A_RUN.has(actual.tag);
  const schedule = lost ? ended(run.schedule, { at, result: 'unknown' }) : run.schedule;
  return { ...run, actual, schedule };
};

/**
 * Returns the service in the state from which it continues after its current run ended while no supervisor
 * ran.
 */
export const withoutRun = (service: Service, sameBoot: boolean, at: Instant): Service => {
  const after = lostRun(service, sameBoot, at);
  return { ...after, gate: gateOf(service, after.actual) };
};

/**
 * Returns a copy of the service that has adopted its newest undeclared run. Its desired state is up, because
 * it was running.
 */
const takenOver = (service: Service, found: readonly Found[], at: Instant): Service => {
  const wanted: Service = { ...service, wanted: 'up' };
  const newest = found.findLast(({ orphaned, child }) => !orphaned && !child);
  if (newest !== undefined) return withLeftoverRuns(adopted(wanted, newest, at), found, at);
  const idle: Service =
    service.spec.kind === 'cron'
      ? { ...wanted, actual: { tag: 'scheduled' } }
      : { ...wanted, actual: WAITING, gate: 'pending' };
  return withLeftoverRuns(idle, found, at);
};

/** Returns the found runs of each service, oldest first. */
export const foundByService = (found: readonly Found[]): ReadonlyMap<ServiceId, readonly Found[]> =>
  new Map(
    [...grouped(found, ({ service }) => service)].map(([id, runs]) => [
      id,
      runs.toSorted((a, b) => a.run - b.run),
    ]),
  );

/** Adopts undeclared runs of services that are declared now. */
export const adoptUndeclaredRuns = (draft: Draft): void => {
  const { undeclaredRuns } = draft.state;
  const taken = new Set<ServiceId>();
  for (const [id, found] of foundByService(undeclaredRuns)) {
    const service = find(draft, id);
    if (service === undefined) continue;
    taken.add(id);
    put(draft, takenOver(service, found, draft.at));
  }
  if (taken.size === 0) return;
  changeState(draft, { undeclaredRuns: undeclaredRuns.filter(({ service }) => !taken.has(service)) });
};
