// Which of the runs that are found are on record. A run's number is recorded before its process begins, and
// the process as soon as it has. A run not on record was not begun by the previous supervisor, or is recorded
// as over. It is never adopted; its processes are ended as leftovers.
// Rules: `docs/behaviour.md`, "Adoption".
import { highestRun } from '../../rollout/runs.ts';
import type { Found } from '../../domain/event.ts';
import { sameProcess } from '../../domain/service/process.ts';
import type { Run } from '../../domain/service/run.ts';
import { runsOf } from '../../domain/service/runs-of.ts';
import type { Service } from '../../domain/service/service.ts';
import { presentRun } from '../../service/input.ts';

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
