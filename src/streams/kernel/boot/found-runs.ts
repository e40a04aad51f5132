// Decides what happens to runs that a new supervisor finds alive by their run tags:
// - A run that the previous supervisor recorded is adopted: the supervisor continues to supervise it.
// - A run that is not on record, or is recorded as over, is never adopted: its processes are killed as
//   leftovers (`docs/behaviour.md`, "Adoption"). Its run number is not used again.
// - A run whose service is in no record and no manifest is undeclared. It is kept in the state, and adopted
//   once a manifest declares its service.
//
// Rules: `docs/behaviour.md`, "Adoption".
import type { Found } from '../../domain/event.ts';
import type { RunId, ServiceId } from '../../domain/ids.ts';
import { NO_PROCESS, sameProcess } from '../../domain/service/process.ts';
import { runsOf } from '../../domain/service/runs-of.ts';
import type { Run } from '../../domain/service/service-run.ts';
import type { LeftoverRun, Service, ServiceState } from '../../domain/service/service.ts';
import { earlier, type Instant } from '../../domain/time.ts';
import { changeState, type Draft, find, put } from '../draft.ts';
import { highestRun } from '../../rollout/two-runs.ts';
import { UNPROBED } from '../../service/health.ts';
import { ended } from '../../service/schedule.ts';
import { presentRun } from '../../service/service-input.ts';

/** States in which the number of a run is recorded, but the process is not yet. */
const BEGINNING: ReadonlySet<string> = new Set(['preparing', 'spawning']);

const isOf = (own: Run, { run, process }: Found): boolean => {
  if (presentRun(own) !== run) return false;
  const { actual } = own;
  return 'process' in actual ? sameProcess(actual.process, process) : BEGINNING.has(actual.tag);
};

/**
 * True if the found process is the recorded process of a run of the service, or the leader of a run whose
 * number was recorded before its process.
 */
export const isOnRecord = (service: Service, found: Found): boolean =>
  found.run <= highestRun(service) && runsOf(service).some((run) => isOf(run, found));

/**
 * Returns the numbers of those runs and children of the service that continue. Processes found with these
 * numbers are stopped with their run, so they are no leftovers.
 */
const goingOn = (service: Service): readonly RunId[] => [
  ...runsOf(service).flatMap((run) => ('process' in run.actual ? [presentRun(run)] : [])),
  ...(service.children ?? []).map(({ run }) => run),
];

const remnantOf = ({ run, process }: Found, at: Instant): LeftoverRun => ({
  run,
  process,
  since: at,
  alive: [process],
});

/**
 * Returns the service with a leftover run (to be killed) for each run that was found but does not continue.
 */
export const withRemnants = (service: Service, found: readonly Found[], at: Instant): Service => {
  const { remnants: _recorded, ...rest } = service;
  const own = new Set(goingOn(service));
  const remnants = found.filter(({ run }) => !own.has(run)).map((one) => remnantOf(one, at));
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
 * Returns the recorded run as adopted, with the process that was found: the process of a newer run, or of the
 * recorded run if it was still being spawned.
 */
export const adopted = <R extends Run>(recorded: R, found: Found, at: Instant): R => {
  const knows = 'process' in recorded.actual && recorded.runs === (found.run as number);
  if (knows) return recorded;
  const { run, process } = found;
  const since = earlier(found.since ?? at, at);
  // The run may have been ready for a long time, so its time limit to become ready begins now.
  const health = { ...UNPROBED, failingSince: at, lastCounted: at };
  return { ...recorded, runs: run, actual: { tag: 'starting', run, process, since, health } };
};

const withoutProcess = ({ actual, wanted, spec }: Run, sameBoot: boolean): ServiceState => {
  // A record from before a reboot may have been written again after it; its process is then `NO_PROCESS`.
  const confirmed = sameBoot && 'process' in actual && !sameProcess(actual.process, NO_PROCESS);
  if (confirmed || !HAD_A_RUN.has(actual.tag)) return actual.tag === 'waiting' ? WAITING : actual;
  if (wanted === 'down') return { tag: 'down', why: { tag: 'asked' } };
  return spec.kind === 'cron' ? { tag: 'scheduled' } : WAITING;
};

/**
 * Returns the gate field of a service: `pending` if its run has died, so that it starts with all others under
 * the limit of simultaneous starts, and the restart does not count as one after a crash.
 */
const gateOf = ({ wanted, spec }: Service, actual: ServiceState): Service['gate'] =>
  wanted === 'up' && spec.kind !== 'cron' && 'process' in actual ? 'pending' : 'none';

/** Returns the run after it was lost: no process of it is left, and no supervisor saw the end. */
export const lostRun = <R extends Run>(run: R, sameBoot: boolean, at: Instant): R => {
  const actual = withoutProcess(run, sameBoot);
  const lost = HAD_A_RUN.has(run.actual.tag) && !HAD_A_RUN.has(actual.tag);
  const schedule = lost ? ended(run.schedule, { at, result: 'unknown' }) : run.schedule;
  return { ...run, actual, schedule };
};

/** Returns the service after its current run was lost: no process is left, and no supervisor saw the end. */
export const withoutRun = (service: Service, sameBoot: boolean, at: Instant): Service => {
  const after = lostRun(service, sameBoot, at);
  return { ...after, gate: gateOf(service, after.actual) };
};

/**
 * Returns the now declared service with its undeclared run adopted. Its desired state is up, because it was
 * running. If only leftovers without a leader were found, a new run starts when they are gone.
 */
const takenOver = (service: Service, found: readonly Found[], at: Instant): Service => {
  const wanted: Service = { ...service, wanted: 'up' };
  const newest = found.findLast(({ orphaned, child }) => !orphaned && !child);
  if (newest !== undefined) return withRemnants(adopted(wanted, newest, at), found, at);
  const idle: Service =
    service.spec.kind === 'cron'
      ? { ...wanted, actual: { tag: 'scheduled' } }
      : { ...wanted, actual: WAITING, gate: 'pending' };
  return withRemnants(idle, found, at);
};

/** Adopts undeclared runs of services that are declared now. */
export const adoptStrays = (draft: Draft): void => {
  const { strays } = draft.state;
  const taken = new Set<ServiceId>();
  for (const { service: id } of strays) {
    const service = taken.has(id) ? undefined : find(draft, id);
    if (service === undefined) continue;
    taken.add(id);
    const found = strays.filter((one) => one.service === id).toSorted((a, b) => a.run - b.run);
    put(draft, takenOver(service, found, draft.at));
  }
  if (taken.size === 0) return;
  changeState(draft, { strays: strays.filter(({ service }) => !taken.has(service)) });
};
