// Taking over from the previous supervisor: a run with a live leader is adopted, any other is over.
// Rules: `docs/behaviour.md`, "Adoption".
import type { Found } from '../../domain/event.ts';
import { NO_PROCESS, sameProcess } from '../../domain/service/process.ts';
import type { Run } from '../../domain/service/run.ts';
import type { Service, ServiceState } from '../../domain/service/service.ts';
import { earlier, type Instant } from '../../domain/time.ts';
import { UNPROBED } from '../../service/health.ts';
import { ended } from '../../service/schedule.ts';

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
