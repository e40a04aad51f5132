// What becomes of the runs that are found alive by their marks. One on record is adopted. One without a
// record was not begun by the previous supervisor, or is recorded as over: it is never adopted, and its
// processes are ended as leftovers (`docs/behaviour.md`, "Adoption"). Their run numbers are not used again.
// Runs that no record and no manifest has are undeclared: they are remembered, and adopted once a manifest
// declares their service. Rules: `docs/behaviour.md`, "Adoption".
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

/** States in which the number of a run is recorded, but not yet its process. */
const BEGINNING: ReadonlySet<string> = new Set(['preparing', 'spawning']);

const isOf = (own: Run, { run, process }: Found): boolean => {
  if (presentRun(own) !== run) return false;
  const { actual } = own;
  return 'process' in actual ? sameProcess(actual.process, process) : BEGINNING.has(actual.tag);
};

/**
 * True for the recorded process of a run, and for a leader with the recorded number of a run that was
 * beginning.
 */
export const isOnRecord = (service: Service, found: Found): boolean =>
  found.run <= highestRun(service) && runsOf(service).some((run) => isOf(run, found));

/** The runs that continue: ending them also ends the processes that belong to them. */
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

/** The service with the leftovers of all runs that it does not continue. */
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

/** Adopts a leader: of a newer run than the state file has, or of the run that was still being spawned. */
export const adopted = <R extends Run>(recorded: R, found: Found, at: Instant): R => {
  const knows = 'process' in recorded.actual && recorded.runs === (found.run as number);
  if (knows) return recorded;
  const { run, process } = found;
  const since = earlier(found.since ?? at, at);
  // It may have been ready for long, so it gets the whole window from now on.
  const health = { ...UNPROBED, failingSince: at, lastCounted: at };
  return { ...recorded, runs: run, actual: { tag: 'starting', run, process, since, health } };
};

const withoutProcess = ({ actual, wanted, spec }: Run, sameBoot: boolean): ServiceState => {
  // A record read after a reboot may have been written again under the new boot, with `NO_PROCESS`.
  const confirmed = sameBoot && 'process' in actual && !sameProcess(actual.process, NO_PROCESS);
  if (confirmed || !HAD_A_RUN.has(actual.tag)) return actual.tag === 'waiting' ? WAITING : actual;
  if (wanted === 'down') return { tag: 'down', why: { tag: 'asked' } };
  return spec.kind === 'cron' ? { tag: 'scheduled' } : WAITING;
};

/**
 * `pending` if its run died: it is started again through the gate with all others, not as one that crashed.
 */
const gateOf = ({ wanted, spec }: Service, actual: ServiceState): Service['gate'] =>
  wanted === 'up' && spec.kind !== 'cron' && 'process' in actual ? 'pending' : 'none';

/** Nothing of the run is left, and no supervisor saw its end. */
export const lostRun = <R extends Run>(run: R, sameBoot: boolean, at: Instant): R => {
  const actual = withoutProcess(run, sameBoot);
  const lost = HAD_A_RUN.has(run.actual.tag) && !HAD_A_RUN.has(actual.tag);
  const schedule = lost ? ended(run.schedule, { at, result: 'unknown' }) : run.schedule;
  return { ...run, actual, schedule };
};

/** Nothing of its current run is left, and no supervisor saw its end. */
export const withoutRun = (service: Service, sameBoot: boolean, at: Instant): Service => {
  const after = lostRun(service, sameBoot, at);
  return { ...after, gate: gateOf(service, after.actual) };
};

/** Wanted, since it ran; leftovers without a leader make room for a new run. */
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

/** Adopts the strays of services that are now known. */
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
